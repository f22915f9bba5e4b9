"""Registry of all kinds of questions, imported wherever logs are read or questions asked."""

from pactwin.tasks.core.kind import KINDS, QuestionKind
from pactwin.tasks.kinds.constraint.tasks import CONSTRAINT
from pactwin.tasks.kinds.ladder.tasks import LADDER
from pactwin.tasks.kinds.lists.tasks import NAMED_PLAN, PLAN, RECOGNITION
from pactwin.tasks.kinds.objects.tasks import AFFORDANCE, PROPERTY
from pactwin.tasks.kinds.part.tasks import CREATIVE_USE
from pactwin.tasks.kinds.problem.tasks import PROBLEM

_ALL: tuple[QuestionKind, ...] = (
    CONSTRAINT,
    PROPERTY,
    AFFORDANCE,
    PROBLEM,
    RECOGNITION,
    PLAN,
    NAMED_PLAN,
    CREATIVE_USE,
    LADDER,
)
KINDS.update({kind.name: kind for kind in _ALL})
