// Rejects passwords that attackers try first: those of a list of common ones, also with digits and signs around them.

/** Fewer make a pattern, such as one letter many times. */
const minDistinctCharacters = 5;

export async function isCommonPassword(password: string): Promise<boolean> {
  const text = password.toLowerCase();
  if (new Set(text).size < minDistinctCharacters) return true;
  const common = await (commonPasswords ??= readList());
  const word = text.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  const withoutSigns = text.replaceAll(/[^\p{L}\p{N}]+/gu, '');
  return [text, withoutSigns, word].some((candidate) => common.has(candidate));
}

let commonPasswords: Promise<ReadonlySet<string>> | undefined;

/** Read when the first password is set, because it takes several megabytes. */
async function readList(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
}
