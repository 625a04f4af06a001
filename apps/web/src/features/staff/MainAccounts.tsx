/** States beside a list or figures of all users that practice accounts and the like are left out (A112). */
export const MainAccounts = () => (
  <span className="text-12 whitespace-nowrap text-text-3" title="Practice accounts are left out.">
    Main accounts
  </span>
);
