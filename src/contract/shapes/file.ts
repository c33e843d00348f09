// A file returned instead of the envelope.
import { Type } from 'typebox';

/** A large file is sent part by part. */
export type FileContent = { readonly name: string } & (
  | { readonly bytes: Uint8Array }
  | { readonly parts: AsyncIterable<Uint8Array>; readonly size: number }
);
export type WholeFile = Extract<FileContent, { readonly bytes: Uint8Array }>;
export const File = Type.Unsafe<FileContent>({ type: 'string', format: 'binary' });
