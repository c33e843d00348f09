// A server whose BMC speaks Redfish and fetches images from the media listener, for the workflow that uploads them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { storeImages } from '#app/images/catalogue.ts';
import { fileCache } from '#app/reload/file-cache.ts';
import type { App } from '#app/app.ts';
import { openBmcDrivers } from '#drivers/bmc/registry.ts';
import { bmcSealContext, openBmcs } from '#equipment/bmcs.ts';
import { startMediaServer } from '#http/files/media-server.ts';
import { labCertificate, startLabRedfish } from '#lab/redfish/redfish.ts';
import { createLog } from '#lib/log.ts';
import { secretBox } from '#lib/secrets.ts';
import { deviceImageFind } from '#store/devices/device-images.ts';
import { deviceLockFind } from '#store/devices/device-locks.ts';
import { serverPut } from '#store/devices/servers.ts';
import type { Fixture, Scenario } from '#workflows/engine/harness.ts';
import { imageUpload, type ImageUploadDeps, type ImageUploadInput } from '#workflows/server/image-upload.ts';
import { addAccount, addService } from './accounts.ts';
import { temporaryFolder } from './folder.ts';
import { openOwnedStore } from './store.ts';
import { withResources } from './resources.ts';

const server = 'dc09r09ds09';
const service = 1001;
const image = 'tools.iso';
const admin = { username: 'provider', password: 'secret-enough' };
/** Slow to generate. */
const certificate = labCertificate();
const log = createLog('silent');

async function makeUpload(): Promise<Fixture<ImageUploadDeps, ImageUploadInput>> {
  await using owned = new AsyncDisposableStack();
  const store = await openOwnedStore(owned, 'image-upload');
  const folder = owned.use(await temporaryFolder('image-upload'));
  const file = join(folder.path, image);
  writeFileSync(file, 'an image');
  await storeImages(store.queries, { images: [{ value: image, file }] });
  const account = await addAccount(store, 1);
  const { address, port, fingerprint, drive } = owned.use(await startLabRedfish({ admin, certificate }));
  const secrets = secretBox(Buffer.alloc(32));
  const settings = JSON.stringify({ address, port, fingerprint, ...admin });
  await serverPut(store.queries, {
    name: server,
    bmc_driver: 'redfish',
    bmc_settings: secrets.seal(settings, bmcSealContext(server)),
    bmc_model: 'lab',
    console_host: server,
    parts: '{}',
  });
  await addService(store, account, service, { server });
  const clock = { now: Date.now };
  const bmcs = openBmcs({ store, clock, secrets, drivers: openBmcDrivers() });
  owned.defer(() => bmcs.close());
  const files = fileCache(folder.path);
  const app = { store, clock, log, files } as unknown as App;
  const listener = owned.use(
    await startMediaServer(app, { listen: '127.0.0.1:0', protocol: 'http' }, { host: '127.0.0.1', port: 0 }),
  );
  const media = { url: listener.url };
  const queue = { enqueue: async () => '' };
  return withResources(owned, {
    store,
    account,
    service,
    deps: { store, clock, queue, bmcs, secrets, media },
    input: { server, service, image, sizeBytes: 8, purpose: 'an image upload' },
    observe: async () => ({
      drive: drive.image,
      image: (await deviceImageFind(store.queries, account, service))?.image,
      uploads: (await store.queries.selectFrom('image_uploads').selectAll().execute()).length,
      locked: (await deviceLockFind(store.queries, server, clock.now())) !== undefined,
    }),
  });
}

export const imageUploadScenario: Scenario<ImageUploadDeps, ImageUploadInput> = {
  workflow: imageUpload,
  makeFixture: makeUpload,
};
