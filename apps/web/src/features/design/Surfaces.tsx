/** Elements that open over a page, and the states that a panel shows instead of its rows. */
import { useState } from 'react';
import { Keys } from '../../shared/actions/index.ts';
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
  SkeletonRows,
  showToast,
  Table,
  Td,
  Th,
  Tr,
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

const head = (
  <>
    <Th>Pair</Th>
    <Th numeric>Price</Th>
    <Th numeric>Size</Th>
  </>
);

export function Tables() {
  return (
    <Part title="Tables and their states">
      <Table caption="Example of rows" head={head}>
        {['BTCUSDT', 'EUR/USD', 'AAPL'].map((symbol, at) => (
          <Tr key={symbol}>
            <Td>
              <span className="flex items-center gap-2">
                <InstrumentMark symbol={symbol} size={20} />
                {symbol}
              </span>
            </Td>
            <Td numeric>{(at + 1) * 1000}</Td>
            <Td numeric>{at + 1}</Td>
          </Tr>
        ))}
      </Table>
      <Table caption="Example of rows that load" head={head}>
        <SkeletonRows rows={3} widths={['96px', '64px', '40px']} numeric={[1, 2]} />
      </Table>
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
