// The virtual drive of a lab server. As a controller does, it looks at the image when it is told to insert it, and reads it in
// ranges when the server boots from it. Certificates are not checked: controllers know no authority but their own.
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { buffer } from 'node:stream/consumers';

const sectorBytes = 2048;
/** The primary volume descriptor of ISO 9660, and where the volume's name stands in it. */
const descriptorSector = 16;
const nameOffset = 40;
const nameLength = 32;
const lookMs = 10_000;

export class LabDrive {
  #image: string | undefined;
  readonly #changed: () => void;

  constructor(image: string | undefined, changed: () => void) {
    this.#image = image;
    this.#changed = changed;
  }

  get image(): string | undefined {
    return this.#image;
  }

  /** False where there is nothing at the URL that could be read. */
  async insert(url: string): Promise<boolean> {
    const isThere = await asked(url, 'HEAD', {}, AbortSignal.timeout(lookMs)).then(
      ({ statusCode }) => statusCode === 200,
      () => false,
    );
    if (isThere) this.#set(url);
    return isThere;
  }

  eject(): void {
    this.#set(undefined);
  }

  /** The name of the volume that is in, as the firmware reads it off the disc. */
  async volumeName(signal: AbortSignal): Promise<string> {
    const first = descriptorSector * sectorBytes;
    const headers = { range: `bytes=${first}-${first + sectorBytes - 1}` };
    const { statusCode, content } = await asked(this.#image!, 'GET', headers, signal);
    if (statusCode !== 206 || content.toString('latin1', 1, 6) !== 'CD001') throw new Error('not a bootable disc');
    return content.toString('latin1', nameOffset, nameOffset + nameLength).trim();
  }

  #set(image: string | undefined): void {
    this.#image = image;
    this.#changed();
  }
}

async function asked(
  url: string,
  method: 'HEAD' | 'GET',
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<{ statusCode: number | undefined; content: Buffer }> {
  const options = { method, headers, signal, agent: false } as const;
  const request = url.startsWith('https:')
    ? httpsRequest(url, { ...options, rejectUnauthorized: false })
    : httpRequest(url, options);
  request.on('error', () => {});
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { statusCode: response.statusCode, content: await buffer(response) };
}
