// A password that a person chooses: rejected if it is common, otherwise hashed.
import type { PasswordHash } from '#contract/parameters.ts';
import { invalid } from '#lib/api-error.ts';
import { isCommonPassword } from './common-passwords.ts';
import type { Requester } from './password-queue.ts';
import { hashPassword } from './passwords.ts';

export async function hashNewPassword(
  password: string,
  parameter: string,
  requester: Requester,
): Promise<PasswordHash> {
  if (await isCommonPassword(password))
    throw invalid({ [parameter]: 'is a common password, which attackers try first' });
  return hashPassword(password, requester);
}
