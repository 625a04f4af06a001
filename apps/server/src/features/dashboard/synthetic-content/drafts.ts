/** A headline before it is chosen for the ten. */
import type { NewsItem } from '@fulcrum/contract';

export type Category = NewsItem['category'];

/** A figure that a headline states, so that it can be held against the bars. Instants and spans in ms. */
export type StatedFigure =
  | { readonly is: 'price'; readonly symbol: string; readonly at: number; readonly value: number }
  | {
      readonly is: 'change';
      readonly symbol: string;
      readonly at: number;
      readonly spanMs: number;
      readonly value: number;
    }
  | { readonly is: 'range'; readonly symbol: string; readonly at: number; readonly spanMs: number }
  | {
      readonly is: 'level';
      readonly symbol: string;
      readonly value: number;
      readonly side: 'above' | 'below';
    };

export interface Draft {
  /** Ms since the epoch, a whole minute; the headline was true by then. */
  readonly at: number;
  readonly category: Category;
  readonly headline: string;
  readonly symbol: string | null;
  /** Its angle: the selection limits how often each is used. */
  readonly angle: string;
  /** Its subject; of two on the same subject the newer one is shown. */
  readonly about: string;
  readonly stated: readonly StatedFigure[];
  /** Whether it still holds now; left out: it is about the past. */
  readonly holds?: () => boolean;
}

export const idOf = ({ at, angle, about }: Draft): string =>
  `${new Date(at).toISOString()} ${angle} ${about}`;
