/**
 * Ten events of the synthetic calendar, past ones with their outcome (DASH-30 to DASH-32). In a narrow card the
 * impact moves under the event and the previous figure is hidden, so that nothing scrolls sideways.
 */
import type { CalendarEvent } from '@fulcrum/contract';
import { noFigure } from '../../../shared/numbers/index.ts';
import { queryKeys } from '../../../shared/query/index.ts';
import { unwrap, useSupabase } from '../../../shared/supabase/index.ts';
import { Skeleton } from '../../../shared/ui/index.ts';
import { useWidget, Widget, WidgetBody } from '../../../shared/widget/index.ts';
import { Impact } from './Impact.tsx';
import { formatUtcFull, formatUtcTime } from './utc.ts';

const everyMs = 60_000;
const shownEvents = 10;

const row = 'h-[31px] border-b border-line/65 last:border-b-0 @max-[440px]:h-12 @max-[320px]:h-16';
const edges = 'first:pl-4 last:pr-4';
const head = `px-1 text-11 font-medium whitespace-nowrap text-text-3 ${edges}`;
const cell = `px-1 text-13 ${edges}`;
const whenWide = '@max-[440px]:hidden';
const whenRoomy = '@max-[500px]:hidden';

export function CalendarWidget() {
  const supabase = useSupabase();
  const reading = useWidget({
    queryKey: queryKeys.widget('economic-calendar'),
    what: 'Economic Calendar',
    everyMs,
    read: (signal) => unwrap(supabase.rest.rpc('get_economic_calendar').abortSignal(signal)),
  });
  return (
    <Widget title="Economic Calendar" reading={reading} simulated className="@container h-full">
      <WidgetBody reading={reading} skeleton={<Loading />} failed="The economic calendar could not be loaded">
        {(events) => <Events events={events} now={reading.readAt} />}
      </WidgetBody>
    </Widget>
  );
}

const heads = [
  { name: 'UTC', className: 'w-px text-left' },
  { name: 'Country', className: `w-px text-left ${whenWide}`, isLabelOnly: true },
  { name: 'Event', className: 'text-left' },
  { name: 'Impact', className: `w-px text-left ${whenWide}` },
  { name: 'Forecast', className: 'w-px text-right' },
  { name: 'Previous', className: `w-px text-right ${whenRoomy}` },
  { name: 'Actual', className: 'w-px text-right' },
];

function Heads() {
  return (
    <tr className="h-7 border-b border-line">
      {heads.map(({ name, className, isLabelOnly }) => (
        <th key={name} scope="col" className={`${head} ${className}`}>
          {isLabelOnly ? <span className="sr-only">{name}</span> : name}
        </th>
      ))}
    </tr>
  );
}

function Events({ events, now }: { readonly events: readonly CalendarEvent[]; readonly now: number }) {
  return (
    <section
      aria-label="Events"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
      tabIndex={0}
      className="min-h-0 grow -outline-offset-2 md:overflow-auto"
    >
      <table className="w-full border-collapse">
        <caption className="sr-only">
          Ten economic events around now, the earliest first. Dates and figures are simulated.
        </caption>
        <thead>
          <Heads />
        </thead>
        <tbody>
          {events.map((event) => (
            <EventRow key={event.id} event={event} now={now} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function EventRow({ event, now }: { readonly event: CalendarEvent; readonly now: number }) {
  const { at, country, title, impact, forecast, previous, actual } = event;
  const instant = Date.parse(at);
  const isOver = instant <= now;
  return (
    <tr className={row}>
      <td
        className={`${cell} figures whitespace-nowrap @max-[320px]:whitespace-normal ${isOver ? 'text-text-3' : 'text-text-2'}`}
      >
        <time dateTime={at} title={formatUtcFull(instant)}>
          {formatUtcTime(instant, now)}
        </time>
      </td>
      <td className={`${cell} text-11 text-text-3 ${whenWide}`}>{country}</td>
      <th scope="row" className={`${cell} max-w-0 text-left font-medium ${isOver ? 'text-text-2' : ''}`}>
        <span
          className="block truncate @max-[320px]:line-clamp-2 @max-[320px]:whitespace-normal"
          title={title}
        >
          <span className="hidden text-11 font-normal text-text-3 @max-[440px]:inline">{`${country} `}</span>
          {title}
        </span>
        <span className="hidden font-normal @max-[440px]:block">
          <Impact impact={impact} />
        </span>
      </th>
      <td className={`${cell} ${whenWide}`}>
        <Impact impact={impact} />
      </td>
      <Written text={forecast} className={isOver ? 'text-text-2' : 'font-medium'} />
      <Written text={previous} className={`text-text-2 ${whenRoomy}`} />
      <Written text={actual} className="font-semibold" />
    </tr>
  );
}

/** A figure as the server formats it, with its unit. */
function Written({ text, className }: { readonly text: string | null; readonly className: string }) {
  return (
    <td className={`${cell} figures text-right whitespace-nowrap ${className}`}>
      {text ?? (
        <>
          <span aria-hidden="true" className="font-normal text-text-3">
            {noFigure}
          </span>
          <span className="sr-only">none</span>
        </>
      )}
    </td>
  );
}

function Loading() {
  return (
    <div aria-hidden="true">
      <div className="h-7 border-b border-line" />
      {Array.from({ length: shownEvents }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are identified by their index alone
        <div key={index} className={`flex items-center gap-4 px-4 ${row}`}>
          <Skeleton className="h-3 w-12" />
          <Skeleton className="h-3 w-40 max-w-[45%]" />
          <Skeleton className="ml-auto h-3 w-12" />
          <Skeleton className="h-3 w-10" />
        </div>
      ))}
    </div>
  );
}
