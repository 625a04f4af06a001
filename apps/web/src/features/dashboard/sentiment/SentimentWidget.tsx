export function SentimentWidget() {
  return null;
}
