export function MarketList() {
  return null;
}
