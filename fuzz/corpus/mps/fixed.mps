NAME          PLAN
ROWS
 N  COST
 G  THE ROW
COLUMNS
    COL ONE   COST               2.5   THE ROW              1.
RHS
    RHS       THE ROW             4.
BOUNDS
 UP BND       COL ONE            11.
ENDATA
