// Recovery codes: each replaces the code of the authenticator app once, for a person who lost their phone. With 80 bits
// they cannot be guessed, so that a plain digest keeps them.
import { recoveryCodeCount } from '#contract/shapes/person.ts';
import { conflict } from '#lib/api-error.ts';
import { randomBase32 } from '#lib/random.ts';
import { sha256Hex } from '#lib/secrets.ts';
import { recoveryCodesReplace } from '#store/account/recovery-codes.ts';
import type { Context } from '../app.ts';
import { getSignedInPerson, signInChange } from './signed-in.ts';

const codeBits = 80;

export async function recoveryCodesCreate(context: Context): Promise<{ codes: string[] }> {
  const person = await getSignedInPerson(context);
  if (person.totp_since === null) throw conflict('Set up an authenticator app first.');
  const codes = Array.from({ length: recoveryCodeCount }, () => randomBase32(codeBits));
  await recoveryCodesReplace(context.queries, person, codes.map(recoveryDigest));
  context.emit('account.recovery.created', signInChange(context));
  return { codes: codes.map((code) => code.match(/.{4}/g)!.join('-')) };
}

/** People may type it with or without hyphens, and in capitals. */
export function recoveryDigest(code: string): string {
  return sha256Hex(code.replaceAll('-', '').toLowerCase());
}

export function isRecoveryCode(code: string): boolean {
  return code.length > 6;
}
