/** An email address in a list. With a mouse it is truncated and has a tooltip; on touch screens it wraps. */
export function EmailAddress({ email }: { readonly email: string }) {
  const at = email.lastIndexOf('@');
  return (
    <bdi
      title={email}
      className="block truncate max-lg:wrap-anywhere max-lg:leading-4 max-lg:whitespace-normal pointer-coarse:wrap-anywhere pointer-coarse:leading-4 pointer-coarse:whitespace-normal"
    >
      {email.slice(0, at)}
      {/* Rendered for touch layouts only: it would also break a truncated line. */}
      <wbr className="hidden max-lg:inline pointer-coarse:inline" />
      {email.slice(at)}
    </bdi>
  );
}
