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
      className={`block truncate max-lg:wrap-anywhere max-lg:whitespace-normal pointer-coarse:wrap-anywhere pointer-coarse:whitespace-normal ${className}`}
    >
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </bdi>
  );
}
