// Uploads an ISO image to a server's BMC: inserts it into the virtual drive, waits until the BMC has fetched it from the
// media listener, and ejects it. An image that the BMC cannot fetch fails here, and not when it is mounted.
import { requireCapability, type VirtualMedia } from '#drivers/bmc/driver.ts';
import { isUnreachable, lockWaitMs } from '#equipment/device-command.ts';
import { isMediaLink, newMediaLink, type MediaLink } from '#equipment/media-links.ts';
import type { SecretBox } from '#lib/secrets.ts';
import { deviceImageFind, deviceImageMove, deviceImageSet } from '#store/devices/device-images.ts';
import { deviceLockRelease } from '#store/devices/device-locks.ts';
import { imageUploadInsert, imageUploadLoad, imageUploadRemove } from '#store/devices/image-uploads.ts';
import type { Queries } from '#store/store.ts';
import {
  acquireDeviceLock,
  bmcTimeout,
  lockLimit,
  retryUnderLock,
  toStepResult,
  undoWithRetry,
  type ServerDeps,
  type ServerTarget,
} from '../device-steps.ts';
import { done, failed, wait, workflow, type Ending, type StepContext, type StepResult } from '../engine/workflow.ts';

export interface ImageUploadDeps extends ServerDeps {
  readonly secrets: SecretBox;
  readonly media: { readonly url: string | undefined };
}
export interface ImageUploadInput extends ServerTarget {
  readonly service: number;
  readonly image: string;
  readonly sizeBytes: number;
}
type UploadContext = StepContext<ImageUploadDeps>;

const pollMs = 250;
const longestCopyMs = 60 * 60_000;
/** The step itself waits as long as the model of the BMC needs. */
const longestEjectMs = 60 * 60_000;

export const imageUpload = workflow<ImageUploadDeps, ImageUploadInput>('image-upload', 1)
  .step('lock', {
    do: (context, { server, purpose }) => acquireDeviceLock(context, { name: server, purpose }),
    undo: 'nothing',
    limit: lockLimit(lockWaitMs),
  })
  .step('look', {
    do: (context, input) => toStepResult(context, () => requireEmptyDrive(context, input)),
    undo: 'nothing',
  })
  .step('insert', {
    do: (context, input) => toStepResult(context, () => insertImage(context, input)),
    undo: (context, input) =>
      undoWithRetry(context, { name: input.server, purpose: input.purpose }, () => ejectUpload(context, input)),
  })
  .step('fetch', {
    do: (context, input) => retryMedia(context, input, () => followFetch(context, input)),
    undo: 'nothing',
    limit: { ms: longestCopyMs, code: 'bmc_error', reason: 'The BMC did not fetch the image in time.' },
  })
  .step('eject', {
    do: (context, input) => retryMedia(context, input, () => ejectUpload(context, input)),
    undo: 'nothing',
    limit: { ms: longestEjectMs, code: 'bmc_unreachable', reason: 'The BMC stopped responding.' },
  })
  .onEnd(endUpload);

/** The secret is derived from the workflow's id, so that it is not stored and a step that runs again has the same. */
function linkOf({ deps: { secrets, media }, workflow: id }: UploadContext, { image }: ImageUploadInput): MediaLink {
  return newMediaLink(media.url ?? '', image, secrets.digest(`media ${id}`));
}

/** A BMC that copies an image may be too busy to respond, and its copy may stall for as long. */
function busyMs(mediaMs: number): number {
  return 4 * mediaMs;
}

async function retryMedia(
  context: UploadContext,
  { server, purpose }: ImageUploadInput,
  work: () => Promise<StepResult<undefined>>,
): Promise<StepResult<undefined>> {
  const { mediaMs } = await context.deps.bmcs.waits(server);
  return retryUnderLock(context, { name: server, purpose }, busyMs(mediaMs), work);
}

function useMedia<T>(
  context: UploadContext,
  { server }: ImageUploadInput,
  work: (media: VirtualMedia, limit: AbortSignal) => Promise<T>,
): Promise<T> {
  return context.deps.bmcs.use(server, (bmc, waits) =>
    work(requireCapability(bmc, 'media'), bmcTimeout(context, waits)),
  );
}

/** Prepares the link, and corrects the record of an image that the BMC has lost. */
async function requireEmptyDrive(context: UploadContext, input: ImageUploadInput) {
  const { account: account_id, workflow: workflow_id } = context;
  const { service: service_id, image, sizeBytes: size_bytes } = input;
  const { queries } = context.deps.store;
  const url = await useMedia(context, input, (media, limit) => media.currentImage(limit));
  const row = await deviceImageFind(queries, account_id, service_id);
  if (url === undefined) {
    if (row !== undefined && row.state !== 'Set')
      await deviceImageMove(queries, row, { state: 'Set', link_hash: null, changed_at: context.now });
    const link_hash = linkOf(context, input).hash;
    const upload = { workflow_id, account_id, service_id, image, link_hash, size_bytes };
    return done(undefined, (inside) => imageUploadInsert(inside, upload));
  }
  const hash = row?.link_hash ?? null;
  const isOurs = hash !== null && (url === '' || isMediaLink(url, hash));
  return failed(
    'state_conflict',
    isOurs
      ? 'An image is mounted. Unmount it first.'
      : "The virtual drive contains an image that Hostyard did not mount. Eject it in the BMC's web interface first.",
  );
}

async function insertImage(context: UploadContext, input: ImageUploadInput) {
  const { deps, workflow: id } = context;
  if (deps.media.url === undefined) return failed('capability_missing', 'This server has no media listener.');
  try {
    await useMedia(context, input, (media, limit) => media.insert(linkOf(context, input).url, limit));
  } catch (error) {
    // A BMC that copies the image first responds only afterwards.
    const isFetching = isUnreachable(error) && (await imageUploadLoad(deps.store.queries, id))?.answered === 1;
    if (!isFetching) throw error;
  }
  return done();
}

async function followFetch(context: UploadContext, input: ImageUploadInput): Promise<StepResult<undefined>> {
  const { deps, workflow: id, now, since } = context;
  const upload = await imageUploadLoad(deps.store.queries, id);
  if (upload === undefined) throw new Error(`upload ${id} has no row`);
  const { answered, copy, sent_at, sent_bytes, size_bytes } = upload;
  const { mediaMs } = await deps.bmcs.waits(input.server);
  if (copy === 'Altered') return failed('bmc_error', 'The image changed while the BMC was fetching it. Try again.');
  if (copy === 'Running' && now - sent_at < busyMs(mediaMs)) return wait(pollMs);
  if (copy === 'Running')
    return failed('bmc_error', `The BMC stopped fetching the image after ${sent_bytes} of ${size_bytes} bytes.`);
  if (answered === 1 && (await isInserted(context, input))) return done();
  if (now - since < mediaMs) return wait(pollMs);
  return failed(
    'bmc_error',
    answered === 1
      ? 'The BMC fetched the image, but does not show it in the virtual drive.'
      : 'The BMC accepted the image, but did not fetch it.',
  );
}

async function isInserted(context: UploadContext, input: ImageUploadInput): Promise<boolean> {
  const url = await useMedia(context, input, (media, limit) => media.currentImage(limit));
  return url !== undefined && (url === '' || isMediaLink(url, linkOf(context, input).hash));
}

async function ejectUpload(context: UploadContext, input: ImageUploadInput) {
  if (await isInserted(context, input)) await useMedia(context, input, (media, limit) => media.eject(limit));
  return done();
}

async function endUpload(
  queries: Queries,
  { workflow: holder, account, input, outcome }: Ending<ImageUploadInput, object>,
  { clock }: ImageUploadDeps,
): Promise<void> {
  const { service: service_id, image, server } = input;
  await imageUploadRemove(queries, holder);
  if (outcome === 'Completed') {
    const row = { service_id, account_id: account, image, changed_at: clock.now() };
    if (!(await deviceImageSet(queries, row))) throw new Error(`an image was mounted during upload ${holder}`);
  }
  await deviceLockRelease(queries, server, holder);
}
