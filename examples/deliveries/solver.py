"""A solver process for instances of any size: takes the cheaper half of a day's offers, at least one."""
import json
import sys


def decide(costs):
    wanted = max(1, len(costs) // 2)
    taken = set(sorted(range(len(costs)), key=costs.__getitem__)[:wanted])
    return [1 if offer in taken else 0 for offer in range(len(costs))]


json.loads(sys.stdin.readline())  # the greeting: "outputs" is null, each instance has as many as it has
print(json.dumps({"polystepor": 1}), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    decisions = [decide(costs) for costs in request["predictions"]]
    print(json.dumps({"frame": request["frame"], "decisions": decisions}), flush=True)
