"""Best guess from the question's text alone.

A classifier answers every question without having seen a question of its fold. Questions with the
same text, and questions about twins, are always in one fold. So a text's answer never depends on
its own label and is the same for both twins: on balanced twins its informedness is exactly 0. On a
suite whose text reveals the answer, it shows how much.
"""

import warnings
from collections.abc import Sequence

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import FitFailedWarning
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, GroupKFold
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import Pipeline
from threadpoolctl import threadpool_limits

from pactwin.suite import Constraint

FOLDS = 5
INNER_FOLDS = 3
_CANDIDATES = [
    {"classifier": [DummyClassifier(strategy="prior")]},
    {"classifier": [MultinomialNB()], "classifier__alpha": [0.1, 1.0]},
    {"classifier": [LogisticRegression(max_iter=1000)], "classifier__C": [0.1, 1.0, 10.0]},
]
# Probabilities are compared at this precision: less is rounding, and a tie is decided as "no".
_DECIMALS = 6
_NO_EVIDENCE = Constraint.DOES_NOT_FIT


def text_priors(
    texts: Sequence[str], pairs: Sequence[str], truths: Sequence[Constraint]
) -> dict[str, tuple[Constraint, ...]]:
    """Held-out guesses for every distinct text, best first. Arguments: one entry per question.

    Several guesses are needed because a choice question may not offer the best one.
    """
    groups = _linked_groups(texts, pairs)
    labels = np.array([truth.value for truth in truths])
    words = np.array(texts, dtype=object)
    guesses: dict[str, tuple[Constraint, ...]] = {}
    n_folds = min(FOLDS, len(set(groups)))
    if n_folds < 2:  # nothing is held out, so nothing is known
        return dict.fromkeys(texts, (_NO_EVIDENCE,))
    # The fits are tiny: threads would only wait for each other.
    with threadpool_limits(1):
        for seen, held_out in GroupKFold(n_folds).split(words, groups=groups):
            asked = np.unique(words[held_out].astype(str))
            guesses |= _guess(words[seen], labels[seen], groups[seen], asked)
    return guesses


def _guess(
    words: np.ndarray, labels: np.ndarray, groups: np.ndarray, asked: np.ndarray
) -> dict[str, tuple[Constraint, ...]]:
    """Guess feasibility first, then the constraint of an infeasible question."""
    feasible = labels == Constraint.NONE.value
    yes = _probabilities(words, feasible, groups, asked).get(True, np.zeros(len(asked)))
    reasons: dict[str, np.ndarray] = {}
    if not feasible.all():
        reasons = _probabilities(words[~feasible], labels[~feasible], groups[~feasible], asked)
    answers = {}
    for i, text in enumerate(asked):
        likely = sorted(sorted(reasons), key=lambda r: -reasons[r][i]) or [_NO_EVIDENCE]
        best = [Constraint(reason) for reason in likely]
        can = round(float(yes[i]), _DECIMALS) > 0.5
        answers[str(text)] = (Constraint.NONE, *best) if can else (*best, Constraint.NONE)
    return answers


def _probabilities(
    words: np.ndarray, labels: np.ndarray, groups: np.ndarray, asked: np.ndarray
) -> dict:
    """Probability of each label for each text, by the candidate with the best validation score."""
    words_to_label = Pipeline(
        [("words", CountVectorizer(ngram_range=(1, 2))), ("classifier", DummyClassifier())]
    )
    n_folds = min(INNER_FOLDS, len(set(groups)))
    if n_folds < 2:  # nothing to validate on: the prior alone
        model = words_to_label.fit(words, labels)
    else:
        # A fold with one label cannot be fitted by every candidate: such a fit scores 0.
        search = GridSearchCV(words_to_label, _CANDIDATES, cv=GroupKFold(n_folds), error_score=0.0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FitFailedWarning)
            model = search.fit(words, labels, groups=groups)
    table = np.round(model.predict_proba(asked), _DECIMALS)
    return {label: table[:, k] for k, label in enumerate(model.classes_.tolist())}


def _linked_groups(texts: Sequence[str], pairs: Sequence[str]) -> np.ndarray:
    """A number per question, shared by all questions linked by a common text or twin pair."""
    _, text = np.unique(np.array(texts), return_inverse=True)
    _, pair = np.unique(np.array(pairs), return_inverse=True)
    n_texts = text.max() + 1
    n_nodes = n_texts + pair.max() + 1
    links = coo_array((np.ones(len(text)), (text, n_texts + pair)), shape=(n_nodes, n_nodes))
    _, component = connected_components(links, directed=False)
    return component[text]
