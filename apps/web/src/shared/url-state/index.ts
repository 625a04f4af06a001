export {
  choiceField,
  choicesField,
  defineUrlState,
  optionalField,
  optionField,
  pageField,
  textField,
  type UrlField,
  uuidField,
} from './define-url-state.ts';
export { isInPlace, useUrlState } from './useUrlState.ts';
