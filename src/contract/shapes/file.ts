// A file returned instead of the envelope.
import { Type } from 'typebox';

export interface FileContent {
  readonly name: string;
  readonly bytes: Uint8Array;
}
export const File = Type.Unsafe<FileContent>({ type: 'string', format: 'binary' });
