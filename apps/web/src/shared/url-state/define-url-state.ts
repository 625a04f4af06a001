/**
 * State in the query string: filter, order, page and selection of a list. A definition names the fields; each has a parameter,
 * a parser and a formatter. Pure.
 *
 * Invariants: a missing or invalid parameter reads as the field's default. A default value has no parameter, so a default list
 * has a plain URL. Parameters of other parts stay.
 */
import { isUuid } from '@fulcrum/domain';

type OtherFields = Readonly<Record<string, unknown>>;

export interface UrlField<Value> {
  /** The field's name by default. */
  readonly parameter?: string | undefined;
  /** `text` is null without the parameter; `before` has the fields that are declared earlier. */
  parse(text: string | null, before: OtherFields): Value;
  /** Null for the default value. */
  format(value: Value, state: OtherFields): string | null;
}

export interface UrlState<State extends object> {
  /** The state of an empty query string. */
  readonly initial: State;
  /** `prefix` precedes every parameter: it separates two lists of one page. */
  readonly parse: (params: URLSearchParams, prefix?: string) => State;
  /** The parameters with these fields changed. */
  readonly write: (params: URLSearchParams, changes: Partial<State>, prefix?: string) => URLSearchParams;
}

/** A field that depends on another one is declared after it, and changes together with it. */
export function defineUrlState<State extends object>(
  fields: {
    readonly [Name in keyof State]: UrlField<State[Name]>;
  },
): UrlState<State> {
  const entries = Object.entries<UrlField<unknown>>(fields).map(
    ([name, field]) => [name, field.parameter ?? name, field] as const,
  );
  const parse = (params: URLSearchParams, prefix = ''): State => {
    const state: Record<string, unknown> = {};
    for (const [name, parameter, field] of entries) {
      state[name] = field.parse(params.get(`${prefix}${parameter}`), state);
    }
    // The loop has set each name of `fields`.
    return state as State;
  };
  return {
    initial: parse(new URLSearchParams()),
    parse,
    write: (params, changes, prefix = '') => {
      const state: Record<string, unknown> = { ...parse(params, prefix), ...changes };
      const written = new URLSearchParams(params);
      for (const [name, parameter, field] of entries) {
        if (!(name in changes)) continue;
        const text = field.format(state[name], state);
        if (text === null) written.delete(`${prefix}${parameter}`);
        else written.set(`${prefix}${parameter}`, text);
      }
      return written;
    },
  };
}

/** A text as the user typed it, cut at `max` characters. The server refuses NUL characters and half surrogate pairs. */
export const textField = (max: number, parameter?: string): UrlField<string> => ({
  parameter,
  parse: (text) => (text ?? '').replaceAll('\0', '').slice(0, max).toWellFormed(),
  format: (value) => value || null,
});

/** One of `values`. */
export const choiceField = <Value extends string>(
  values: readonly Value[],
  fallback: Value,
  parameter?: string,
): UrlField<Value> => ({
  parameter,
  parse: (text) => values.find((value) => value === text) ?? fallback,
  format: (value) => (value === fallback ? null : value),
});

/** One of `options`, such as the ranges of a chart; the URL has its `value`. */
export const optionField = <Option extends { readonly value: string }>(
  options: readonly Option[],
  fallback: Option,
): UrlField<Option> => ({
  parse: (text) => options.find(({ value }) => value === text) ?? fallback,
  format: ({ value }) => (value === fallback.value ? null : value),
});

/** Any number of `values`, in their order. */
export const choicesField = <Value extends string>(
  values: readonly Value[],
  parameter?: string,
): UrlField<readonly Value[]> => ({
  parameter,
  parse: (text) => {
    const named = text?.split(',') ?? [];
    return values.filter((value) => named.includes(value));
  },
  format: (chosen) => chosen.join(',') || null,
});

/** Null by default, and where `parse` returns null. */
export const optionalField = <Value extends string | number>(
  parse: (text: string) => Value | null,
  parameter?: string,
): UrlField<Value | null> => ({
  parameter,
  parse: (text) => (text === null ? null : parse(text)),
  format: (value) => (value === null || value === '' ? null : `${value}`),
});

/** The id of a row, or null. */
export const uuidField = (parameter?: string): UrlField<string | null> =>
  optionalField((text) => (isUuid(text) ? text : null), parameter);

/** The number of a page, from 1. */
export const pageField = (max = 10_000): UrlField<number> => ({
  parse: (text) => {
    const page = Number(text);
    return Number.isInteger(page) && page >= 1 && page <= max ? page : 1;
  },
  format: (page) => (page === 1 ? null : `${page}`),
});
