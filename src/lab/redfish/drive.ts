// The virtual drive of a lab server. Like a real BMC, it probes an image when it is inserted and reads ranges of it at
// boot. Certificates are not verified, because BMCs know no certificate authorities.
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { buffer } from 'node:stream/consumers';

const sectorBytes = 2048;
/** The primary volume descriptor of ISO 9660, and the offset of the volume name in it. */
const descriptorSector = 16;
const nameOffset = 40;
const nameLength = 32;
const probeTimeoutMs = 10_000;

export class LabDrive {
  /** The content of an image that was copied as a whole. */
  copied: Buffer | undefined;
  #image: string | undefined;
  readonly #onChange: () => void;

  constructor(image: string | undefined, onChange: () => void) {
    this.#image = image;
    this.#onChange = onChange;
  }

  get image(): string | undefined {
    return this.#image;
  }

  /** Returns false if the URL cannot be read. */
  async insert(url: string, how: 'streamed' | 'copied' | 'blindly' = 'streamed'): Promise<boolean> {
    const method = how === 'copied' ? 'GET' : 'HEAD';
    const isReadable =
      how === 'blindly' ||
      (await request(url, method, {}, AbortSignal.timeout(probeTimeoutMs)).then(
        ({ statusCode, content }) => {
          if (how === 'copied') this.copied = content;
          return statusCode === 200;
        },
        () => false,
      ));
    if (isReadable) this.#set(url);
    return isReadable;
  }

  eject(): void {
    this.#set(undefined);
  }

  /** Returns the volume name of the inserted image, read as firmware would. */
  async volumeName(signal: AbortSignal): Promise<string> {
    const first = descriptorSector * sectorBytes;
    const headers = { range: `bytes=${first}-${first + sectorBytes - 1}` };
    const { statusCode, content } = await request(this.#image!, 'GET', headers, signal);
    if (statusCode !== 206 || content.toString('latin1', 1, 6) !== 'CD001') throw new Error('not a bootable disc');
    return content.toString('latin1', nameOffset, nameOffset + nameLength).trim();
  }

  #set(image: string | undefined): void {
    this.#image = image;
    this.#onChange();
  }
}

async function request(
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
