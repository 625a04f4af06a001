/** A headline before it is chosen for the ten. */
import type { NewsItem } from '@fulcrum/contract';

export type Category = NewsItem['category'];

/** A figure that a headline states, so that it can be held against the bars. Instants and spans in ms. */
export type Stated =
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
  /** Ms since the epoch, a whole minute; what it says was so by then. */
  readonly at: number;
  readonly category: Category;
  readonly headline: string;
  readonly symbol: string | null;
  /** The way in which it tells: no way is taken too often. */
  readonly angle: string;
  /** What it is about; of two about the same the newer one is told. */
  readonly about: string;
  readonly stated: readonly Stated[];
  /** Whether it still holds now; left out: it tells of the past. */
  readonly holds?: () => boolean;
}

export const idOf = ({ at, angle, about }: Draft): string =>
  `${new Date(at).toISOString()} ${angle} ${about}`;
