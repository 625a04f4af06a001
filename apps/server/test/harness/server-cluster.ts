/** A cluster as an operator runs it: processes of the program on one database, connected by Debian's nats-server. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageKey } from '../../src/platform/cluster/index.ts';
import type { NatsLink } from '../../src/platform/cluster/nats-link.ts';
import { loadSecrets, type Secrets } from '../../src/platform/config/secrets.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { login, type NatsServer, startNats } from './nats-server.ts';
import { type Installation, makeInstallation, type ServerProcess } from './server-process.ts';

export interface ClusterMember extends ServerProcess {
  readonly url: string;
  /** Its part of the state of health. */
  health(): Promise<ClusterHealth>;
}

export interface ClusterHealth {
  readonly status: string;
  /** What each part says that is not well. */
  readonly troubles: readonly string[];
  readonly cluster: {
    readonly leadsMarket: number | null;
    readonly duties: Record<string, boolean>;
    readonly nats: { readonly dropped: Readonly<Record<string, number>> };
    readonly processes: readonly { readonly version: string; readonly duties: readonly string[] }[];
  };
  readonly engine: { readonly halted: string | null; readonly epoch: number; readonly armed: number };
}

/** What a cluster needs of its database. */
export type ClusterDatabase = Pick<TestDatabase, 'url' | 'asOwner' | 'close'>;

export interface ServerCluster {
  readonly db: ClusterDatabase;
  readonly nats: NatsServer;
  readonly secrets: Secrets;
  /** The link of one more process, which gets what all get. */
  link(): Promise<NatsLink>;
  /** Starts a process with these roles, as `ROLES` has them, of this release or of `program`; resolves when it serves. */
  start(roles: string, env?: Readonly<Record<string, string>>, program?: string): Promise<ClusterMember>;
  /** The same without waiting, for one that is refused. */
  run(roles: string, env?: Readonly<Record<string, string>>, program?: string): ServerProcess;
  dispose(): Promise<void>;
}

const healthToken = 'of-the-tests-of-a-cluster';

/** @param database belongs to the cluster, which closes it; by default one of its own */
export async function openServerCluster(database?: ClusterDatabase): Promise<ServerCluster> {
  const [db, nats] = await Promise.all([database ?? createTestDatabase(), startNats()]);
  const installations: Installation[] = [];
  const first = makeInstallation();
  installations.push(first);
  const secrets = loadSecrets(first.dataDir);

  function run(roles: string, env: Readonly<Record<string, string>> = {}, program?: string): ServerProcess {
    const installation = makeInstallation();
    installations.push(installation);
    copyFileSync(join(first.dataDir, 'secrets.json'), join(installation.dataDir, 'secrets.json'));
    return installation.run({
      ...(program !== undefined && { command: [process.execPath, program] as const }),
      env: {
        NATS_URL: `nats://${login.user}:${login.password}@127.0.0.1:${nats.port}`,
        DATABASE_URL: db.url,
        SMTP_URL: 'smtp://127.0.0.1:1',
        HEALTH_TOKEN: healthToken,
        ROLES: roles,
        ...env,
      },
    });
  }

  return {
    db,
    nats,
    secrets,
    link: () => nats.link({ installation: secrets.instanceId, key: messageKey(secrets) }),
    run,
    async start(roles, env, program) {
      const server = run(roles, env, program);
      const url = await server.ready();
      return {
        ...server,
        url,
        health: async () => {
          const response = await fetch(`${url}/health`, {
            headers: { authorization: `Bearer ${healthToken}` },
          });
          const report = (await response.json()) as Record<
            string,
            { ok?: boolean; reason?: string } | undefined
          >;
          const troubles = Object.entries(report).flatMap(([name, part]) =>
            part?.ok === false ? `${name}: ${part.reason}` : [],
          );
          return { ...(report as unknown as ClusterHealth), troubles };
        },
      };
    },
    async dispose() {
      for (const installation of installations) await installation.dispose();
      await nats.dispose();
      await db.close();
    },
  };
}
