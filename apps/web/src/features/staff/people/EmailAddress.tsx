/** An address in a list: cut where a pointer can ask for the rest of it, whole on as many lines as it takes elsewhere. */
export function EmailAddress({
  email,
  className = '',
}: {
  readonly email: string;
  readonly className?: string;
}) {
  const at = email.lastIndexOf('@');
  return (
    <bdi
      title={email}
      className={`block truncate max-lg:wrap-anywhere max-lg:leading-4 max-lg:whitespace-normal pointer-coarse:wrap-anywhere pointer-coarse:leading-4 pointer-coarse:whitespace-normal ${className}`}
    >
      {email.slice(0, at)}
      {/* It would break a line that is not to be broken, too. */}
      <wbr className="hidden max-lg:inline pointer-coarse:inline" />
      {email.slice(at)}
    </bdi>
  );
}
