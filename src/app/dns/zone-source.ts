// The zones of the built-in name server: the image, which the feed keeps current, and the history of zones in the
// database, which only incremental transfers need.
import { ZoneImage } from '#drivers/dns/builtin/image/image.ts';
import { type ImageSource, imageSource } from '#drivers/dns/builtin/image/image-source.ts';
import type { SecretBox } from '#lib/secrets.ts';
import type { Reader } from '#store/engine/reader.ts';
import { readZoneChanges } from './zone-changes.ts';
import { type CommitCount, ZoneFeed } from './zone-feed.ts';
import type { LoadedZones } from './zone-loader.ts';

export interface OpenSource {
  readonly source: ImageSource;
  readonly feed: ZoneFeed;
}

/** Resolves once all zones are loaded. Reads of the feed are separate from others, because they see a state of their time. */
export async function openSource(
  readers: { readonly feed: Reader; readonly other: Reader },
  secrets: SecretBox,
  commits: CommitCount,
  onError: (error: unknown) => void,
): Promise<OpenSource> {
  const zones: LoadedZones = { image: new ZoneImage(), secrets, zonesSerial: 0 };
  const feed = new ZoneFeed(readers.feed, zones, commits, onError);
  await feed.start();
  const source: ImageSource = {
    ...imageSource(zones.image, () => zones.zonesSerial),
    changesSince: (zone, serial, soa) => readZoneChanges(readers.other, zone, serial, soa),
  };
  return { source, feed };
}
