"""The worked example of docs/python.md."""

import newsvendor


def test_the_newsvendor_saves_a_good_part_of_the_cost_of_least_squares(capsys):
    costs = newsvendor.main()
    assert costs["polystepor"] < 0.9 * costs["mse"]
    assert "of the cost of least squares" in capsys.readouterr().out
