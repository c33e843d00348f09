// Sign-up in the browser: the proof of work, which takes a while, and then the request.
import type { SignUpRequestInput } from '#sdk/v2.ts';
import type { Result } from './operations.ts';
import { t } from '../text/text.ts';
import type { ProofMessage } from './proof-worker.ts';
import { acceptSession, customerApi } from './session.ts';

export type SignUpSettings = Result<'signUpGet'>;
export type NewCustomer = Omit<SignUpRequestInput, 'challenge' | 'solution'>;

/** `onProgress` gets how likely it was to have a solution by now. */
export async function requestSignUp(person: NewCustomer, onProgress: (chance: number) => void): Promise<void> {
  const { challenge, difficulty } = await customerApi().signUpChallenge();
  const solution = await solveInWorker({ challenge, difficulty: Number(difficulty) }, onProgress);
  await customerApi().signUpRequest({ ...person, challenge, solution });
}

async function solveInWorker(
  challenge: { readonly challenge: string; readonly difficulty: number },
  onProgress: (chance: number) => void,
): Promise<string> {
  const worker = new Worker(new URL('proof-worker.ts', import.meta.url), { type: 'module' });
  try {
    return await new Promise((resolve, reject) => {
      worker.addEventListener('message', ({ data }: MessageEvent<ProofMessage>) => {
        if ('solution' in data) resolve(data.solution);
        else onProgress(1 - Math.exp(-data.share));
      });
      worker.addEventListener('error', () =>
        reject(new Error(t('This browser cannot run the check. Try another one.'))),
      );
      worker.postMessage(challenge);
    });
  } finally {
    worker.terminate();
  }
}

/** Creates the account and signs in, and returns true; or returns false if staff have to approve it. */
export async function completeSignUp(token: string, newpassword: string): Promise<boolean> {
  const { status, account, email } = await customerApi().signUpComplete({ token, newpassword });
  if (status !== 'Active') return false;
  const session = await customerApi().sessionCreate({ email, password: newpassword, account, cookie: true });
  await acceptSession('customer', session);
  return true;
}
