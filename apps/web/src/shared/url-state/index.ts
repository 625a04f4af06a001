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
export { isUrlStateChange, useUrlState } from './useUrlState.ts';
