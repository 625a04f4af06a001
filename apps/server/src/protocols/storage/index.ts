/**
 * `/storage/v1` as `@supabase/storage-js` speaks it: uploads, listings, private downloads and signed links of the
 * contract's buckets. Invariants: what is not served (removing, moving, copying, bucket administration, public and
 * transformed files, resumable uploads, signed upload links) answers 404 and never 501; no answer may be cached; a file is
 * sent under its true type, never as a page.
 *
 * Known limitation: no `Range`; a file is sent whole.
 */
import multipart from '@fastify/multipart';
import { AppError, bucketByName, type Caller } from '@fulcrum/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Download, FileError, type Files, linkTo } from '../../features/files/index.ts';
import type { StoredFile } from '../../platform/files/index.ts';
import type { Log } from '../../platform/log/index.ts';
import { TooManyAttempts } from '../../platform/rate-limit/too-many-attempts.ts';
import type { Admission } from '../admission.ts';
import { bodyBytesMax, listBody, read, signAllBody, signBody } from './bodies.ts';
import { errorOnWire, faultOnWire, notServed, type StorageFault } from './errors.ts';
import { disposition, objectPath, objectPathOf, queryOf } from './paths.ts';
import { drain, openUpload } from './upload-body.ts';
import { entryOnWire, fileOnWire, headersOf } from './wire.ts';

interface StorageDependencies {
  readonly identity: {
    /** Anonymous without a token; throws `not_signed_in` for a bad one and for a key that is not this server's. */
    callerOf(headers: { authorization?: string | undefined; apikey?: string | undefined }): Caller;
  };
  readonly files: Files;
  /** One instance serves all protocols of a server. */
  readonly admission: Admission;
  readonly log: Log;
}

interface InBucket {
  readonly Params: { readonly bucket: string };
}
type ObjectRequest = FastifyRequest<InBucket>;

/** `storage/v1/object` */
const root = 3;

export async function registerStorage(app: FastifyInstance, given: StorageDependencies): Promise<void> {
  const deps = { ...given, identity: admitted(given) };
  await app.register(
    async (storage) => {
      answerErrors(storage, deps.log);
      await storage.register(async (scope) => uploadRoutes(scope, deps));
      await storage.register(async (scope) => routes(scope, deps));
    },
    { prefix: '/storage/v1' },
  );
}

/** The same checks, within the rate of the user or, before the database, of the address (SEC-F6). */
function admitted({ identity, admission }: StorageDependencies) {
  return {
    callerOf: (request: FastifyRequest): Caller =>
      admission.admit(request.ip, () => identity.callerOf(request.headers)),
  };
}

/** As the routes here use it. */
type Routed = Pick<StorageDependencies, 'files'> & { readonly identity: ReturnType<typeof admitted> };

const send = (reply: FastifyReply, { status, retryAfterS, body }: StorageFault) => {
  if (retryAfterS !== null) reply.header('retry-after', retryAfterS);
  return reply.code(status).send(body);
};

function answerErrors(storage: FastifyInstance, log: Log): void {
  storage.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });
  storage.setErrorHandler((error, request, reply) => {
    const known = errorOnWire(error);
    // A disconnected sender is no fault, and reads no response.
    if (!known && !request.raw.socket.destroyed) {
      log.error(
        { err: error, method: request.method, route: request.routeOptions.url },
        'a storage request failed',
      );
    }
    return send(reply, known ?? faultOnWire);
  });
  const refuse = (request: FastifyRequest, reply: FastifyReply) => {
    drain(request);
    return send(reply, notServed(request.method, request.url.split('?', 1)[0] ?? '/'));
  };
  storage.setNotFoundHandler(refuse);
  // The web app's files have a route for every GET, which would be found before our handler.
  storage.get('/*', refuse);
}

/** Uploads accept any body as a stream; no parser runs before the caller is known. */
async function uploadRoutes(scope: FastifyInstance, { identity, files }: Routed): Promise<void> {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
  // A file that is too large is refused by the feature, which counts.
  await scope.register(multipart, { throwFileSizeLimit: false });

  scope.route<InBucket>({
    method: ['POST', 'PUT'],
    url: '/object/:bucket/*',
    handler: async (request, reply) => {
      const { bucket } = request.params;
      const length = Number(request.headers['content-length']);
      try {
        const file = await files.upload(identity.callerOf(request), {
          bucket,
          path: objectPathOf(request, root + 1),
          declaredBytes: Number.isSafeInteger(length) ? length : null,
          open: () => openUpload(request, bucketByName.get(bucket)?.fileBytesMax ?? 0),
          sender: getDisconnectSignal(reply),
        });
        return reply.send({ Id: file.id, Key: `${file.bucket}/${file.path}` });
      } catch (error) {
        // The rest of a slow body is not read: the connection closes after the response.
        if (error instanceof FileError && error.reason === 'upload_too_slow') {
          reply.header('connection', 'close');
        }
        drain(request);
        throw error;
      }
    },
  });
}

/** Aborted when the connection ends before its answer. */
function getDisconnectSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort();
  });
  return gone.signal;
}

function routes(scope: FastifyInstance, { identity, files }: Routed): void {
  const limits = { bodyLimit: bodyBytesMax };
  const { callerOf } = identity;

  scope.post<InBucket>('/object/list/:bucket', limits, async (request, reply) => {
    const caller = callerOf(request);
    const entries = await files.list(caller, request.params.bucket, read(listBody, request.body ?? {}));
    return reply.send(entries.map(entryOnWire));
  });

  scope.post<InBucket>('/object/sign/:bucket/*', limits, async (request, reply) => {
    const caller = callerOf(request);
    const { expiresIn, versionId } = read(signBody, request.body);
    const { bucket, path } = getObjectLocation(request, root + 2);
    return reply.send({
      signedURL: linkTo(bucket, path, await files.sign(caller, { bucket, path, versionId }, expiresIn)),
    });
  });

  scope.post<InBucket>('/object/sign/:bucket', limits, async (request, reply) => {
    const caller = callerOf(request);
    const { bucket } = request.params;
    const { expiresIn, paths } = read(signAllBody, request.body);
    const cleaned = paths.map((path) => objectPath(path) ?? noPath);
    const tokens = await files.signAll(caller, bucket, cleaned, expiresIn);
    return reply.send(
      paths.map((path, i) => {
        const token = tokens[i] ?? null;
        return token === null
          ? { path, error: new FileError('object_unknown').message, signedURL: null }
          : { path, error: null, signedURL: linkTo(bucket, path, token) };
      }),
    );
  });

  scope.get<InBucket>('/object/info/:bucket/*', { exposeHeadRoute: false }, async (request, reply) => {
    const caller = callerOf(request);
    return reply.send(fileOnWire(await files.describe(caller, getObjectAddress(request, root + 2))));
  });

  for (const [url, before] of [
    ['/object/:bucket/*', root + 1],
    ['/object/authenticated/:bucket/*', root + 2],
  ] as const) {
    scope.route<InBucket>({
      method: ['GET', 'HEAD'],
      url,
      exposeHeadRoute: false,
      handler: async (request, reply) => {
        const caller = callerOf(request);
        const address = getObjectAddress(request, before);
        return request.method === 'HEAD'
          ? sendHead(request, reply, await files.describe(caller, address))
          : sendFile(request, reply, await files.download(caller, address));
      },
    });
  }

  scope.route<InBucket>({
    method: ['GET', 'HEAD'],
    url: '/object/sign/:bucket/*',
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const caller = findLinkCaller(identity, request);
      const location = getObjectLocation(request, root + 2);
      const token = queryOf(request, 'token') ?? '';
      return request.method === 'HEAD'
        ? sendHead(request, reply, await files.describeLinked(caller, location, token))
        : sendFile(request, reply, await files.downloadLinked(caller, location, token));
    },
  });
}

/** No object has this path, so an impossible path is answered like a missing one. */
const noPath = '';

const getObjectLocation = (request: ObjectRequest, before: number) => ({
  bucket: request.params.bucket,
  path: objectPathOf(request, before) ?? noPath,
});

/** @throws FileError `object_unknown` for a version that cannot be */
function getObjectAddress(request: ObjectRequest, before: number) {
  const version = z.uuid().optional().safeParse(queryOf(request, 'versionId'));
  if (!version.success) throw new FileError('object_unknown');
  return { ...getObjectLocation(request, before), versionId: version.data ?? null };
}

/** Returns the caller of a link. @throws FileError `object_unknown` for an invalid session */
function findLinkCaller(identity: Routed['identity'], request: FastifyRequest): Caller {
  try {
    return identity.callerOf(request);
  } catch (error) {
    const isRefused = error instanceof AppError && !(error instanceof TooManyAttempts);
    throw isRefused ? new FileError('object_unknown') : error;
  }
}

const sendHead = (request: FastifyRequest, reply: FastifyReply, file: StoredFile) =>
  reply.headers(headersOf(file, disposition(file.path, queryOf(request, 'download')))).send();

const sendFile = (request: FastifyRequest, reply: FastifyReply, { file, bytes }: Download) =>
  reply.headers(headersOf(file, disposition(file.path, queryOf(request, 'download')))).send(bytes);
