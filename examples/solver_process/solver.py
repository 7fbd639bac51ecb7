"""A solver process in Python, speaking JSON lines: orders from the supplier whose predicted price is lowest."""
import json
import sys


def decide(prices):
    cheapest = min(range(len(prices)), key=prices.__getitem__)
    return [1 if item == cheapest else 0 for item in range(len(prices))]


def main():
    json.loads(sys.stdin.readline())  # the greeting: how many prices, what is sent along
    print(json.dumps({"polystepor": 1}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        decisions = []
        for prices in request["predictions"]:
            try:
                decisions.append(decide(prices))
            except Exception as error:  # no decision for this instance; the others go on
                print(error, file=sys.stderr)
                decisions.append(None)
        print(json.dumps({"frame": request["frame"], "decisions": decisions}), flush=True)


main()
