// A file as the answer to a call, instead of the envelope.
import { Type } from 'typebox';

export interface FileAnswer {
  readonly name: string;
  readonly bytes: Uint8Array;
}
export const File = Type.Unsafe<FileAnswer>({ type: 'string', format: 'binary' });
