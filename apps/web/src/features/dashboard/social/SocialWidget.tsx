export function SocialWidget() {
  return null;
}
