/** The assistant (A115), without I/O: what a question is about, the search, and the check of what a model writes (docs/assistant.md). */
export { createGrounding } from './grounding.ts';
export {
  type AccountTopic,
  accountTopics,
  followUpOf,
  intentOf,
  type QuestionPeriod,
  type QuestionSubject,
  questionLengthMax,
  questionPeriods,
  startOfPeriod,
  topicsMax,
} from './intents.ts';
export { findNamedPair, readOrderRequest } from './order-request.ts';
export { createSearch, type Passage } from './search.ts';
export { createSentenceSplitter } from './sentences.ts';
