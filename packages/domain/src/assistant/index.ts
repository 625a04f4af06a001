/** The assistant (A115), without I/O: what a question is about, the search, and the check of what a model writes (docs/assistant.md). */
export { type Figure, figuresOf } from './figures.ts';
export { createGrounding, type Grounding, type SentenceFault, sentenceLengthMax } from './grounding.ts';
export {
  type AccountTopic,
  accountTopics,
  followUpOf,
  intentOf,
  type QuestionIntent,
  type QuestionPeriod,
  type QuestionSubject,
  questionLengthMax,
  questionPeriods,
  startOfPeriod,
  topicsMax,
} from './intents.ts';
export {
  findNamedPair,
  type OrderReading,
  type OrderRequest,
  readOrderRequest,
} from './order-request.ts';
export { createSearch, type Passage, type SearchHit } from './search.ts';
export { createSentenceSplitter, type SentenceSplitter } from './sentences.ts';
