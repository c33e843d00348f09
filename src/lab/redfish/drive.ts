// The virtual drive of a lab server. As a controller does, it looks at the image when it is told to insert it, and reads it in
// ranges when the server boots from it. Certificates are not checked: controllers know no authority but their own.
import { Agent, request } from 'undici';

const sectorBytes = 2048;
/** The primary volume descriptor of ISO 9660, and where the volume's name stands in it. */
const descriptorSector = 16;
const nameOffset = 40;
const nameLength = 32;

export class LabDrive {
  #image: string | undefined;
  readonly #changed: () => void;
  readonly #agent = new Agent({ connect: { rejectUnauthorized: false } });

  constructor(image: string | undefined, changed: () => void) {
    this.#image = image;
    this.#changed = changed;
  }

  get image(): string | undefined {
    return this.#image;
  }

  /** False where there is nothing at the URL that could be read. */
  async insert(url: string): Promise<boolean> {
    const isThere = await request(url, { method: 'HEAD', dispatcher: this.#agent }).then(
      async ({ statusCode, body }) => {
        await body.dump();
        return statusCode === 200;
      },
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
    const { statusCode, body } = await request(this.#image!, { headers, dispatcher: this.#agent, signal });
    const descriptor = Buffer.from(await body.arrayBuffer());
    if (statusCode !== 206 || descriptor.toString('latin1', 1, 6) !== 'CD001') throw new Error('not a bootable disc');
    return descriptor.toString('latin1', nameOffset, nameOffset + nameLength).trim();
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  #set(image: string | undefined): void {
    this.#image = image;
    this.#changed();
  }
}
