* a plan
NAME          PLAN
OBJSENSE
    MAX
ROWS
 N  profit
 L  limit
 G  least
 E  same
 N  ignored
COLUMNS
    MARKER  'MARKER'  'INTORG'
    x  profit  3.5   limit  2
    x  ignored  9
    MARKER  'MARKER'  'INTEND'
    y  profit  -1    least  1.5
    y  same  1
    z  same  -2e0
RHS
    side  limit  10   least  -1
    side  profit  -7
RANGES
    range  limit  4   same  -3
BOUNDS
 UP bound  x  8
 MI bound  y
 UP bound  y  -1
 FX bound  z  2
ENDATA
