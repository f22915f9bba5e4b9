"""Models that reply from the suite's records, without a picture."""

from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from pactwin.solvers.question_ref import QuestionRef, current_question, load_records
from pactwin.suite import Question


class RecordBackedModel(ModelAPI):
    """A model that replies from the suite's records: no call, no tokens, no cost."""

    def reply(self, asked: QuestionRef, question: Question) -> str:
        """The reply to ``question``, in its form."""
        raise NotImplementedError

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        """Answer the question of this sample; InvalidInputError outside a pactwin task."""
        asked = current_question()
        question = load_records(asked.suite, asked.suite_hash).questions[asked.question_id]
        output = ModelOutput.from_content(self.model_name, self.reply(asked, question))
        output.usage = ModelUsage()
        return output
