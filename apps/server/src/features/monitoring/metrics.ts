/**
 * What `/metrics` shows besides the engine's own counters: gauges that are read at the scrape, from the states that
 * `/health` shows. Invariants: no figure is kept here a second time; labels come from closed lists, so no user, address or
 * path appears. Of a cluster they name its processes too.
 */
import { Counter, collectDefaultMetrics, Gauge, type Registry } from 'prom-client';
import type { BackupState } from '../../platform/backup/index.ts';
import type { Member } from '../../platform/cluster/members.ts';
import type { DiskState } from '../../platform/disk.ts';
import type { Services } from '../../platform/services.ts';
import type { Market } from '../market/index.ts';
import type { Trading } from '../trading/index.ts';
import type { CheckReport } from '../wallet/index.ts';
import type { StoredFigures } from './figures.ts';

interface MetricSources extends Pick<Services, 'clock'> {
  readonly trading: Pick<Trading, 'state' | 'checks' | 'invariants'>;
  readonly market: Pick<Market, 'state' | 'sourceStates'>;
  readonly realtime: () => {
    readonly sockets: number;
    readonly channels: number;
    readonly cut: number;
    readonly dropped: number;
  };
  readonly disk: () => DiskState;
  readonly stored: () => Promise<StoredFigures | null>;
  /** Null without a backup folder. */
  readonly backups: () => BackupState | null;
  /** Null where this process is no member of a cluster. */
  readonly cluster: (() => ClusterFigures) | null;
}

/** The figures that only a member of a cluster has. */
interface ClusterFigures {
  readonly isConnected: boolean;
  readonly lostConnections: number;
  readonly received: number;
  readonly dropped: Readonly<Record<string, number>>;
  readonly members: readonly Member[];
}

const haltCauses = ['staff', 'ledger', 'epoch'] as const;
const sourceStates = ['live', 'simulated', 'replay', 'stale', 'down', 'idle'] as const;

type Sample<Label extends string> = readonly [labels: Readonly<Record<Label, string>>, value: number];

/** Makes metrics that are read at the scrape. */
function metersOf(registry: Registry) {
  const registers = [registry];
  return {
    registers,
    /** Left out while it is null. */
    gauge: (name: string, help: string, read: () => number | null) =>
      new Gauge({
        name,
        help,
        registers,
        collect() {
          const value = read();
          if (value === null) this.remove();
          else this.set(value);
        },
      }),
    labelledGauge: <Label extends string>(
      name: string,
      help: string,
      labelNames: readonly Label[],
      read: () => readonly Sample<Label>[],
    ) =>
      new Gauge<Label>({
        name,
        help,
        labelNames,
        registers,
        collect() {
          this.reset();
          for (const [labels, value] of read()) this.set(labels, value);
        },
      }),
    counter: (name: string, help: string, read: () => number) =>
      new Counter({
        name,
        help,
        registers,
        collect() {
          this.reset();
          this.inc(read());
        },
      }),
  };
}

export function registerMetrics(registry: Registry, sources: MetricSources) {
  const { clock, trading, market, realtime, disk, stored, backups } = sources;
  const { registers, gauge, labelledGauge, counter } = metersOf(registry);
  /** Of the database; left out while it does not answer. */
  const storedGauge = (name: string, help: string, pick: (figures: StoredFigures) => number | null) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const figures = await stored();
        const value = figures && pick(figures);
        if (value === null) this.remove();
        else this.set(value);
      },
    });
  const secondsSince = (iso: string | null) =>
    iso === null ? null : Math.max(0, (clock.now() - Date.parse(iso)) / 1000);

  collectDefaultMetrics({ register: registry });

  labelledGauge('fulcrum_halted', '1 while trading is halted, by cause.', ['cause'], () => {
    const { haltCause } = trading.state();
    return haltCauses.map((cause) => [{ cause }, cause === haltCause ? 1 : 0] as const);
  });
  gauge('fulcrum_writes_refused', '1 while the database refuses writes of the engine.', () =>
    trading.state().refusal === null ? 0 : 1,
  );
  gauge(
    'fulcrum_queue_items',
    'Commands and crossings that wait for the engine.',
    () => trading.state().queued,
  );
  gauge('fulcrum_armed_prices', 'Prices at which something fills or closes.', () => trading.state().armed);
  gauge(
    'fulcrum_accounts_in_memory',
    'Accounts that the engine holds in memory.',
    () => trading.state().accounts,
  );
  gauge(
    'fulcrum_stale_accounts',
    'Accounts that the engine reads again after a failed batch.',
    () => trading.state().staleAccounts,
  );
  counter('fulcrum_batches_total', 'Batches that the engine committed.', () => trading.state().batches);

  gauge(
    'fulcrum_invariants_violated',
    'Invariants that the last verification found violated.',
    () => trading.checks().filter(({ ok }: CheckReport) => !ok).length,
  );
  gauge('fulcrum_ledger_ok', '1 while the last verification of the ledger found it whole.', () =>
    trading.invariants().ok ? 1 : 0,
  );
  gauge('fulcrum_full_verification_age_seconds', 'Since the last full verification of the ledger.', () =>
    secondsSince(trading.invariants().fullCheckedAt),
  );

  counter('fulcrum_ticks_total', 'Prices that were taken over.', () => market.state().ticks);
  gauge(
    'fulcrum_held_prices',
    'Prices that wait for a decision because they jumped.',
    () => market.state().held,
  );
  labelledGauge('fulcrum_prices', 'Listed symbols, by what their price is worth.', ['state'], () =>
    Object.entries(market.state().states).map(([state, symbols]) => [{ state }, symbols] as const),
  );
  labelledGauge('fulcrum_feed_age_seconds', 'Since the last price of each source.', ['source'], () =>
    market.sourceStates().flatMap(({ source, lastTickAt }) => {
      const age = secondsSince(lastTickAt);
      return age === null ? [] : [[{ source }, age] as const];
    }),
  );
  labelledGauge(
    'fulcrum_feed_state',
    '1 for the state that each source is in; idle is a source whose markets are all closed.',
    ['source', 'state'],
    () =>
      market
        .sourceStates()
        .flatMap(({ source, state: current }) =>
          sourceStates.map((state) => [{ source, state }, state === current ? 1 : 0] as const),
        ),
  );

  gauge('fulcrum_sockets', 'Open sockets of browsers and bots.', () => realtime().sockets);
  gauge('fulcrum_channels', 'Channels that they joined.', () => realtime().channels);
  counter(
    'fulcrum_dropped_frames_total',
    'Price frames that slow clients did not get; the next one has the present prices.',
    () => realtime().dropped,
  );
  counter(
    'fulcrum_cut_sockets_total',
    'Sockets that were closed because the client read too slowly.',
    () => realtime().cut,
  );

  gauge('fulcrum_disk_free_bytes', 'Free space of the fullest disk under DATA_DIR.', () => disk().freeBytes);
  gauge('fulcrum_disk_low', '1 while that disk is nearly full.', () => (disk().low ? 1 : 0));
  storedGauge('fulcrum_mails_waiting', 'Mails that are not sent yet.', ({ mailsWaiting }) => mailsWaiting);
  storedGauge(
    'fulcrum_pushes_waiting',
    'Notifications that wait for a push service.',
    ({ pushesWaiting }) => pushesWaiting,
  );
  storedGauge('fulcrum_database_bytes', 'Size of the database.', ({ databaseBytes }) => databaseBytes);
  storedGauge(
    'fulcrum_wal_segments',
    'Segments of the write-ahead log; left out where PostgreSQL does not show them.',
    ({ walSegments }) => walSegments,
  );
  gauge(
    'fulcrum_backup_age_seconds',
    'Since the last verified backup; left out without BACKUP_DIR or without a backup in it.',
    () => secondsSince(backups()?.lastAt ?? null),
  );
  gauge(
    'fulcrum_backup_failed',
    '1 while the last scheduled backup failed; left out without BACKUP_DIR.',
    () => {
      const state = backups();
      return state && (state.failure === null ? 0 : 1);
    },
  );
  gauge(
    'fulcrum_backup_bytes',
    'Size of the last backup since the start of the process.',
    () => backups()?.lastBytes ?? null,
  );

  if (sources.cluster) registerClusterMetrics(registry, sources.cluster);

  const responses = new Counter({
    name: 'fulcrum_http_responses_total',
    help: 'Answers over HTTP, by status.',
    labelNames: ['status'] as const,
    registers,
  });
  return {
    responded: (status: number) => responses.inc({ status }),
  };
}

/** The processes of a cluster as this one knows them: each by its machine and the begin of its id. */
function registerClusterMetrics(registry: Registry, read: () => ClusterFigures): void {
  const { registers, gauge, labelledGauge, counter } = metersOf(registry);
  const labelOf = ({ name, process }: Member): string => `${name}-${process.slice(0, 8)}`;
  const ofMembers = <Label extends string>(
    name: string,
    help: string,
    further: readonly Label[],
    samplesOf: (member: Member) => readonly Sample<Label>[],
  ) =>
    labelledGauge(name, help, ['process', ...further], () =>
      read().members.flatMap((member) =>
        samplesOf(member).map(([labels, value]): Sample<'process' | Label> => {
          const ofMember = { process: labelOf(member), ...labels } as Record<'process' | Label, string>;
          return [ofMember, value];
        }),
      ),
    );
  ofMembers(
    'fulcrum_process_role',
    'Processes of the cluster by role; 0 for one that has been silent for five seconds.',
    ['role'],
    ({ roles, isSilent }) => roles.map((role) => [{ role }, isSilent ? 0 : 1] as const),
  );
  ofMembers(
    'fulcrum_process_duty',
    '1 for each duty that a process holds.',
    ['duty'],
    ({ duties, isSilent }) => (isSilent ? [] : duties.map((duty) => [{ duty }, 1] as const)),
  );
  ofMembers('fulcrum_process_info', 'The release of each process.', ['version'], ({ version }) => [
    [{ version }, 1],
  ]);
  ofMembers('fulcrum_process_slots', 'Slots of accounts that a process serves, of 256.', [], ({ slots }) => [
    [{}, slots],
  ]);
  ofMembers('fulcrum_process_queue_items', 'Commands and crossings that wait there.', [], ({ queued }) => [
    [{}, queued],
  ]);
  ofMembers('fulcrum_process_sockets', 'Open sockets there.', [], ({ sockets }) => [[{}, sockets]]);

  gauge('fulcrum_nats_connected', '1 while this process is connected to NATS.', () =>
    read().isConnected ? 1 : 0,
  );
  counter(
    'fulcrum_nats_lost_connections_total',
    'Connections to NATS that ended.',
    () => read().lostConnections,
  );
  counter('fulcrum_nats_frames_total', 'Frames that came from other processes.', () => read().received);
  new Counter({
    name: 'fulcrum_nats_dropped_total',
    help: 'Messages between processes that were dropped, by reason.',
    labelNames: ['reason'] as const,
    registers,
    collect() {
      this.reset();
      for (const [reason, count] of Object.entries(read().dropped)) this.inc({ reason }, count);
    },
  });
}
