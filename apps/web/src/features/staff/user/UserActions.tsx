/** The actions on the user, at the right of the name; those that do not apply are left out. */
import Ellipsis from 'lucide-react/icons/ellipsis';
import Eye from 'lucide-react/icons/eye';
import Pencil from 'lucide-react/icons/pencil';
import Wallet from 'lucide-react/icons/wallet';
import { Button, IconButton, Menu, MenuItem, MenuSeparator } from '../../../shared/ui/index.ts';
import {
  actionsFor,
  type DialogAction,
  restrictLabel,
  type UserAction,
  type UserSummary,
} from '../user-dialogs/index.ts';

const buttonActions = {
  funds: { label: 'Manage funds', Icon: Wallet },
  edit: { label: 'Edit user', Icon: Pencil },
  impersonate: { label: 'Impersonate', Icon: Eye },
} as const;
const isButtonAction = (action: UserAction): action is keyof typeof buttonActions => action in buttonActions;

/** Labels of the actions in the menu. */
const menuLabels = {
  assign: () => 'Assign manager…',
  restrict: restrictLabel,
  delete: () => 'Delete…',
} satisfies Readonly<
  Record<Exclude<UserAction, keyof typeof buttonActions | 'positions'>, (user: UserSummary) => string>
>;
const isMenuAction = (action: UserAction): action is keyof typeof menuLabels => action in menuLabels;

export interface UserActionsProps {
  readonly user: UserSummary;
  readonly onAction: (action: DialogAction) => void;
}

export function UserActions({ user, onAction }: UserActionsProps) {
  const actions = actionsFor(user, 'users');
  const menuActions = actions.filter(isMenuAction);
  return (
    <div className="flex flex-wrap items-center gap-2">
      {actions.filter(isButtonAction).map((action) => {
        const { label, Icon } = buttonActions[action];
        return (
          <Button key={action} aria-label={`${label}: ${user.username}`} onClick={() => onAction(action)}>
            <Icon size={14} aria-hidden="true" />
            {label}
          </Button>
        );
      })}
      {menuActions.length === 0 ? null : (
        <Menu
          label={`More actions for ${user.username}`}
          align="end"
          trigger={
            <IconButton
              label={`More actions for ${user.username}`}
              className="size-9 border border-line-strong"
            >
              <Ellipsis size={16} aria-hidden="true" />
            </IconButton>
          }
        >
          {menuActions.map((action) => (
            <div key={action}>
              {action === 'delete' && menuActions.length > 1 ? <MenuSeparator /> : null}
              <MenuItem onSelect={() => onAction(action)}>
                <span className={action === 'delete' ? 'text-down' : ''}>{menuLabels[action](user)}</span>
              </MenuItem>
            </div>
          ))}
        </Menu>
      )}
    </div>
  );
}
