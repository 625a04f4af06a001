/** Elements that open over a page, and the states that a panel shows instead of its rows. */
import { useState } from 'react';
import { Keys } from '../../shared/actions/index.ts';
import { type Column, DataTable } from '../../shared/table/index.ts';
import {
  Button,
  Dialog,
  EmptyState,
  ErrorState,
  InstrumentMark,
  Menu,
  MenuItem,
  MenuOption,
  MenuSeparator,
  Popover,
  Sheet,
  Skeleton,
  showToast,
} from '../../shared/ui/index.ts';
import { Part, Row } from './Specimen.tsx';

const nothing = () => {};

export function Overlays() {
  const [isOpen, setOpen] = useState(false);
  const [sheetIsOpen, setSheetIsOpen] = useState(false);
  const [isShown, setShown] = useState(true);
  return (
    <Part title="Over the page">
      <Row label="opened by">
        <Button onClick={() => setOpen(true)}>Dialog</Button>
        <Button onClick={() => setSheetIsOpen(true)}>Sheet</Button>
        <Popover label="An explanation" trigger={<Button>Popover</Button>}>
          What the figure beside it is made of.
        </Popover>
        <Menu label="Example" trigger={<Button>Menu</Button>}>
          <MenuItem onSelect={nothing}>A command</MenuItem>
          <MenuItem onSelect={nothing} disabled>
            Not now
          </MenuItem>
          <MenuSeparator />
          <MenuOption checked={isShown} onChange={setShown}>
            An option
          </MenuOption>
        </Menu>
      </Row>
      <Row label="notices">
        {(['success', 'error', 'info'] as const).map((kind) => (
          <Button
            key={kind}
            onClick={() => showToast(kind, `A notice: ${kind}`, { description: 'With a longer text.' })}
          >
            {kind}
          </Button>
        ))}
      </Row>
      <Row label="that stay">
        <Button onClick={() => showToast('error', 'Your position was liquidated.', { isSticky: true })}>
          must be seen
        </Button>
      </Row>
      <Row label="keys">
        <Keys keys="Shift+B" />
        <Keys keys="g w" />
        <Keys keys="?" />
      </Row>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title="Close the position?"
        description="0.5 BTCUSDT long at 64,000.50"
        actions={
          <>
            <Button onClick={() => setOpen(false)}>Keep it</Button>
            <Button tone="down" onClick={() => setOpen(false)}>
              Close position
            </Button>
          </>
        }
      >
        It will be closed at the market's price.
      </Dialog>
      <Sheet
        open={sheetIsOpen}
        onOpenChange={setSheetIsOpen}
        title="A sheet"
        foot={<Button className="w-full">Its main button</Button>}
      >
        The phone's way of a dialog.
      </Sheet>
    </Part>
  );
}

const marketRows = ['BTCUSDT', 'EUR/USD', 'AAPL'].map((id, at) => ({
  id,
  price: (at + 1) * 1000,
  size: at + 1,
}));
const marketColumns: readonly Column<(typeof marketRows)[number]>[] = [
  {
    head: 'Pair',
    width: '96px',
    card: '1 start',
    cell: ({ id }) => (
      <span className="flex items-center gap-2">
        <InstrumentMark symbol={id} size={20} />
        {id}
      </span>
    ),
  },
  { head: 'Price', width: '64px', numeric: true, card: '1 end', cell: ({ price }) => price },
  { head: 'Size', width: '40px', numeric: true, card: 'line', cell: ({ size }) => size },
];
const finishedReading = { isError: false, isFetching: false, refetch: nothing };

export function Tables() {
  const example = {
    columns: marketColumns,
    reading: finishedReading,
    failed: 'Failed to fetch pairs',
    empty: <EmptyState title="No pairs" />,
  };
  return (
    <Part title="Tables and their states">
      <DataTable {...example} caption="Example of rows" rows={marketRows} currentId="EUR/USD" />
      <DataTable {...example} caption="Example of rows that load" rows={undefined} placeholders={3} />
      <Row label="skeleton">
        <Skeleton className="h-4 w-40" />
      </Row>
      <EmptyState title="No open positions" action={<Button>Choose a pair</Button>}>
        Place an order and it stands here.
      </EmptyState>
      <ErrorState title="Failed to fetch positions" detail="The server did not answer." onRetry={nothing} />
      <ErrorState title="Trying again" onRetry={nothing} retrying />
    </Part>
  );
}
