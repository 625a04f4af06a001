/** API keys, one a row with what it may do and when it was used; ended ones are behind a button. */
import KeyRound from 'lucide-react/icons/key-round';
import { type ReactNode, type Ref, useState } from 'react';
import { DateTime } from '../../shared/time/DateTime.tsx';
import { Badge, Button } from '../../shared/ui/index.ts';
import { isLive, type ListedKey } from './keys.ts';

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt>{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  );
}

const getAccountName = ({ accountKind, accountName }: ListedKey): string =>
  accountKind === 'main' ? 'Main account' : accountName;

function EndBadge({ item }: { readonly item: ListedKey }) {
  if (isLive(item)) return null;
  return <Badge tone="down">{item.revokedAt === null ? 'Expired' : 'Revoked'}</Badge>;
}

export function KeyFacts({ item }: { readonly item: ListedKey }) {
  return (
    <dl className="flex flex-wrap gap-x-5 text-12 text-text-2 [&_dt]:mr-1.5 [&_dt]:inline [&_dt]:text-text-3 [&_dd]:inline">
      <Fact name="Account">
        <bdi>{getAccountName(item)}</bdi>
      </Fact>
      <Fact name="Key">
        <span className="figures">{item.keyStart}…</span>
      </Fact>
      <Fact name="Addresses">
        {item.addresses.length === 0 ? (
          'everywhere'
        ) : (
          <span className="figures">{item.addresses.join(', ')}</span>
        )}
      </Fact>
      <Fact name={isLive(item) ? 'Expires' : 'Ended'}>
        <DateTime iso={isLive(item) ? item.expiresAt : (item.revokedAt ?? item.expiresAt)} />
      </Fact>
      <Fact name="Last used">
        <DateTime iso={item.lastUsedAt} />
        {item.lastUsedAddress === null ? null : (
          <>
            {' from '}
            <span className="figures">{item.lastUsedAddress}</span>
          </>
        )}
      </Fact>
      <Fact name="Created">
        <DateTime iso={item.createdAt} />
      </Fact>
    </dl>
  );
}

interface KeyListProps {
  readonly label: string;
  readonly keys: readonly ListedKey[];
  readonly list?: Ref<HTMLUListElement>;
  readonly onRevoke: (item: ListedKey) => void;
}

export function KeyList({ label, keys, list, onRevoke }: KeyListProps) {
  const [showsEnded, setShowsEnded] = useState(false);
  const live = keys.filter((item) => isLive(item));
  const ended = keys.length - live.length;
  return (
    <>
      <ul ref={list} tabIndex={-1} aria-label={label} className="-mt-2.5 outline-none">
        {(showsEnded ? keys : live).map((item) => (
          <li
            key={item.id}
            className="flex min-h-16 items-center gap-3.5 border-b border-line/65 py-2.5 last:border-b-0"
          >
            <KeyRound
              size={20}
              strokeWidth={1.75}
              aria-hidden="true"
              className="shrink-0 text-text-3 max-md:hidden"
            />
            <div className="min-w-0 grow">
              <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-13 font-medium">
                <bdi className="min-w-0 wrap-anywhere">{item.name}</bdi>
                <Badge>{item.scopes.includes('trade') ? 'Read and trade' : 'Read'}</Badge>
                <EndBadge item={item} />
              </p>
              <KeyFacts item={item} />
            </div>
            {isLive(item) ? (
              <Button onClick={() => onRevoke(item)}>
                Revoke<span className="sr-only"> {item.name}</span>
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
      {ended > 0 ? (
        <Button
          tone="quiet"
          size="compact"
          className="-ml-2.5 mt-2"
          aria-expanded={showsEnded}
          onClick={() => setShowsEnded(!showsEnded)}
        >
          {showsEnded ? 'Hide ended keys' : `Show ended keys (${ended})`}
        </Button>
      ) : null}
    </>
  );
}
