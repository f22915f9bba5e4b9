"""Metrics of answers and pairs over the counts of :mod:`pactwin.tasks.kinds.constraint.marking`.

It needs no packages, because the reader in exports includes this module unchanged.
"""

from pactwin.tasks.core.metrics import Metric, Rate, SumOfRates, strictly

_SENSITIVITY = Rate("feasible_yes", "feasible_judged")
_SPECIFICITY = Rate("infeasible_no", "infeasible_judged")
_SENSITIVITY_STRICT = Rate("feasible_yes", "feasible_asked")
_SPECIFICITY_STRICT = Rate("infeasible_no", "infeasible_asked")
_SET_SENSITIVITY = Rate("contested_named", "contested_true")
_SET_SPECIFICITY = Rate("contested_left", "contested_false")
_SET_SENSITIVITY_STRICT = Rate("contested_named", "contested_true_asked")
_SET_SPECIFICITY_STRICT = Rate("contested_left", "contested_false_asked")

_BOTH = ("feasible_asked", "infeasible_asked")
_BOTH_SETS = ("contested_true_asked", "contested_false_asked")

RATES = (
    Metric(
        "informedness",
        SumOfRates(_SENSITIVITY, _SPECIFICITY),
        _BOTH,
        "Informedness",
        "Sensitivity + specificity - 1 (Youden, Cancer 3, 1950): 0 for any answer that does not "
        "depend on the picture, 1 for a perfect one.",
    ),
    Metric("informedness_strict", SumOfRates(_SENSITIVITY_STRICT, _SPECIFICITY_STRICT), _BOTH),
    Metric(
        "set_informedness",
        SumOfRates(_SET_SENSITIVITY, _SET_SPECIFICITY),
        _BOTH_SETS,
        "Set informedness",
        "Of options that are true of one twin alone: share named where true + share left out where "
        "false - 1.",
    ),
    Metric(
        "set_informedness_strict",
        SumOfRates(_SET_SENSITIVITY_STRICT, _SET_SPECIFICITY_STRICT),
        _BOTH_SETS,
    ),
    Metric(
        "balanced_accuracy",
        SumOfRates(_SENSITIVITY, _SPECIFICITY, 0.5, 0.0),
        _BOTH,
        "Balanced accuracy",
        "(Sensitivity + specificity) / 2.",
    ),
    Metric(
        "balanced_accuracy_strict",
        SumOfRates(_SENSITIVITY_STRICT, _SPECIFICITY_STRICT, 0.5, 0.0),
        _BOTH,
    ),
    *strictly(
        "sensitivity",
        "Sensitivity",
        'Share of feasible scenes answered "feasible".',
        top="feasible_yes",
        bottom="feasible_judged",
        asked="feasible_asked",
    ),
    *strictly(
        "specificity",
        "Specificity",
        'Share of infeasible scenes answered "not feasible".',
        top="infeasible_no",
        bottom="infeasible_judged",
        asked="infeasible_asked",
    ),
    *strictly(
        "pair_accuracy",
        "Pair accuracy",
        "Share of pairs, view by view and form by form, in which both twins were "
        "answered correctly.",
        top="pairs_right",
        bottom="pairs",
        asked="pairs_asked",
    ),
    *strictly(
        "reason_accuracy",
        "Reason accuracy",
        "Share of infeasible scenes whose deciding constraint was named, over the "
        'forms that ask for it; "feasible" names none and counts as wrong.',
        top="reasons_right",
        bottom="reasons",
        asked="reasons_asked",
    ),
    *strictly(
        "accuracy",
        "Accuracy",
        "Share of answers that are correct as their form asks: in choice and open an "
        "infeasible scene also needs the right constraint.",
        top="right",
    ),
    *strictly(
        "set_sensitivity",
        top="contested_named",
        bottom="contested_true",
        asked="contested_true_asked",
    ),
    *strictly(
        "set_specificity",
        top="contested_left",
        bottom="contested_false",
        asked="contested_false_asked",
    ),
)
