// The files behind the links that BMCs fetch: one for each mounted image, valid until it is unmounted, and one for each
// upload, valid until it ends.
import { createHash } from 'node:crypto';
import { Duplex } from 'node:stream';
import { linkHash, mediaFileName } from '#equipment/media-links.ts';
import { deviceImageOfLink } from '#store/devices/device-images.ts';
import { imageUploadOfLink, imageUploadUpdate, type ImageUpload } from '#store/devices/image-uploads.ts';
import { FileUnusable, type LocalFile } from '../reload/file-cache.ts';
import { catalogueImages } from './catalogue.ts';
import type { App } from '../app.ts';

export { mediaPath } from '#equipment/media-links.ts';

export interface MediaFile {
  readonly file: LocalFile;
  readonly upload: ImageUpload | undefined;
}

/** Returns the file behind a link, or undefined if the link is not valid. */
export async function mediaFile(app: App, secret: string, name: string): Promise<MediaFile | undefined> {
  const { queries } = app.store;
  const hash = linkHash(secret);
  const upload = await imageUploadOfLink(queries, hash);
  const row = upload ?? (await deviceImageOfLink(queries, hash));
  if (row === undefined || name !== mediaFileName(row.image)) return undefined;
  const image = (await catalogueImages(queries)).find(({ value }) => value === row.image);
  if (image?.source === undefined) return undefined;
  try {
    return { file: await app.files.find(image.source), upload };
  } catch (error) {
    if (!(error instanceof FileUnusable)) throw error;
    app.log.error({ err: error, image: image.value }, "an image's file is unusable");
    return undefined;
  }
}

const progressMs = 500;

/** Records that a BMC fetches an image. Returns a stream that follows the transfer, if it is of the whole image. */
export async function recordFetch(
  app: App,
  { workflow_id: id }: ImageUpload,
  { sha256: expected }: LocalFile,
  extent: 'whole' | 'part',
): Promise<Duplex | undefined> {
  const record = (change: Parameters<typeof imageUploadUpdate>[2]): Promise<void> =>
    imageUploadUpdate(app.store.queries, id, change);
  if (extent === 'part') {
    await record({ answered: 1 });
    return undefined;
  }
  const digest = createHash('sha256');
  let sent = 0;
  let recordedAt = app.clock.now();
  await record({ answered: 1, copy: 'Running', sent_bytes: 0, sent_at: recordedAt });
  return Duplex.from(async function* (chunks: AsyncIterable<Buffer>) {
    // A BMC that hangs up early reads in ranges, or tries again.
    let copy: ImageUpload['copy'] = 'None';
    try {
      for await (const chunk of chunks) {
        digest.update(chunk);
        sent += chunk.length;
        if (app.clock.now() - recordedAt >= progressMs) {
          recordedAt = app.clock.now();
          await record({ sent_bytes: sent, sent_at: recordedAt });
        }
        yield chunk;
      }
      copy = digest.digest('hex') === expected ? 'Complete' : 'Altered';
    } finally {
      await record({ copy, sent_bytes: sent });
    }
  });
}
