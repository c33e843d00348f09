// The container image, built and started by the commands of the installation guide, from a Debian that is made here: the
// registries of the real base images are on the Internet.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { needsRoot } from '#test/support/needs.ts';
import { blocksOf } from '#test/support/pages.ts';
import { openPodman, podmanPrograms, type Podman } from '#test/support/podman.ts';
import { until } from '#test/support/until.ts';

const [build, start] = blocksOf('docs/guides/installing.md')
  .map(({ text }) => text)
  .filter((text) => text.includes('podman '));
const password = 'sec$ret & \\ "12\' ';

describe('the container image', needsRoot(...podmanPrograms, 'curl'), () => {
  const owned = new AsyncDisposableStack();
  let podman: Podman;
  before(async () => void (podman = owned.use(await openPodman())));
  after(() => owned.disposeAsync());
  const alone = (script: string): Promise<string> => podman.shell(script, { network: false });

  test('is built as documented', async () => {
    await podman.shell(build!);
    const [image] = JSON.parse(await podman.shell('podman image inspect hostyard')) as {
      Config: { User: string };
      Healthcheck?: { Test: string[] };
    }[];
    assert.equal(image!.Config.User, '10001:10001');
    assert.match(String(image!.Healthcheck?.Test), /readyz/, 'the health check is in the image');
  });

  test('runs as documented: without root, without a writable system, with its secrets', async () => {
    writeFileSync(join(podman.folder, 'hostyard.yaml'), 'provider: { name: Example, currency: { code: EUR } }\n');
    await podman.shell(`cd ${podman.folder}\n${start}`, { network: false, input: `${password}\n` });
    const isReady = (): Promise<boolean> =>
      alone('curl --silent --fail http://127.0.0.1:8080/readyz').then(
        (text) => text.includes('"ready"'),
        () => false,
      );
    await until(isReady, { saw: () => alone('podman logs hostyard 2>&1') });
    const inside = (command: string): Promise<string> => alone(`podman exec hostyard ${command}`);
    assert.equal(await inside('id --user'), '10001\n');
    await assert.rejects(inside('touch /opt/hostyard/file'), /Read-only file system/);
    assert.equal(await inside('printenv BMC_PASSWORD'), `${password}\n`);
    assert.doesNotMatch(await inside('ls /var/lib/hostyard'), /secret\.key/, 'the key is not next to the data');
    assert.match(await inside('hostyard audit'), /All audit logs are intact/);
    await alone('podman healthcheck run hostyard');
    await alone('podman stop hostyard');
    assert.equal(await alone("podman inspect --format '{{.State.ExitCode}}' hostyard"), '0\n');
    await assert.rejects(alone('podman healthcheck run hostyard'));
  });
});
