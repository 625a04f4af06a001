/** Header of the user page: name, status badges, account facts, figures and actions. */

import Copy from 'lucide-react/icons/copy';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { log } from '../../../shared/log/log.ts';
import { DateTime } from '../../../shared/time/DateTime.tsx';
import { formatDay } from '../../../shared/time/dates.ts';
import { Avatar, IconButton, showToast } from '../../../shared/ui/index.ts';
import type { ShownAccount } from '../shown-account.ts';
import type { DialogAction } from '../user-dialogs/index.ts';
import { unknownUser } from '../user-dialogs/unknown-user.ts';
import { AccountFigures } from './AccountFigures.tsx';
import { KycBadge, RestrictedBadge, RoleBadge } from './badges.tsx';
import { UserActions } from './UserActions.tsx';
import type { UserProfile } from './user-queries.ts';

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-11 text-text-3">{name}</dt>
      <dd className="flex min-h-6 items-center text-13 wrap-anywhere">{children}</dd>
    </div>
  );
}

function Manager({ profile: { manager, manager_id: id } }: { readonly profile: UserProfile }) {
  if (id === null) return <span className="text-text-3">No Manager</span>;
  if (manager === null) return unknownUser;
  return (
    <Link
      to={`/admin/users/${manager.id}`}
      className="inline-flex min-h-6 items-center rounded-badge hover:underline max-md:-my-2.5 max-md:min-h-11"
    >
      <bdi>{manager.username}</bdi>
    </Link>
  );
}

interface UserHeaderProps {
  readonly profile: UserProfile;
  readonly account: ShownAccount;
  readonly onAction: (action: DialogAction) => void;
}

export function UserHeader({ profile, account, onAction }: UserHeaderProps) {
  const copyId = () => {
    navigator.clipboard
      .writeText(profile.id)
      .then(() => showToast('success', 'Id copied'))
      .catch((cause: unknown) => log.warn('Copying an id failed', cause));
  };
  return (
    <section aria-labelledby="user" className="panel">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3 p-4">
        <Avatar username={profile.username} size="large" />
        <div className="min-w-0 grow basis-52">
          <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
            <h1 id="user" className="text-20 font-semibold wrap-anywhere">
              <bdi>{profile.username}</bdi>
            </h1>
            <RoleBadge role={profile.role} />
            {profile.role === 'trader' ? <KycBadge status={profile.kyc_status} /> : null}
            <RestrictedBadge since={profile.restricted_at} />
          </div>
          <p className="text-13 text-text-2 wrap-anywhere">{profile.email}</p>
        </div>
        <UserActions user={profile} onAction={onAction} />
      </div>
      <dl className="grid grid-cols-6 gap-x-6 gap-y-2 border-t border-line px-4 py-3 max-xl:grid-cols-3 max-md:grid-cols-2">
        {profile.role === 'trader' ? (
          <Fact name="Manager">
            <Manager profile={profile} />
          </Fact>
        ) : null}
        <Fact name="Created At">{formatDay(profile.created_at)}</Fact>
        <Fact name="Last Login">
          <DateTime iso={profile.last_login} />
        </Fact>
        <Fact name="Phone">{profile.phone_number ?? <span className="text-text-3">–</span>}</Fact>
        {profile.restricted_at === null ? null : (
          <Fact name="Restricted since">
            <DateTime iso={profile.restricted_at} />
          </Fact>
        )}
        <Fact name="Id">
          <span title={profile.id} className="font-mono text-11">
            {profile.id.slice(0, 8)}
          </span>
          <IconButton
            label={`Copy the id of ${profile.username}`}
            className="!size-6 max-md:-my-2.5 max-md:!size-11"
            onClick={copyId}
          >
            <Copy size={13} aria-hidden="true" />
          </IconButton>
        </Fact>
      </dl>
      <div className="border-t border-line px-4 py-3 empty:hidden">
        {account.name === null ? null : (
          <p className="mb-1.5 text-12 text-text-2">
            Account <bdi className="font-semibold text-text">{account.name}</bdi>
          </p>
        )}
        <AccountFigures userId={profile.id} account={account} size="page" />
      </div>
    </section>
  );
}
