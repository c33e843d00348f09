// Solves the proof of work of a sign-up in a thread of its own, so that the page stays responsive.
import { solveChallenge, type Challenge } from '#sdk/proof-of-work.ts';

export type ProofMessage = { readonly share: number } | { readonly solution: string };

addEventListener('message', ({ data }: MessageEvent<Challenge>) => {
  const post = (message: ProofMessage): void => postMessage(message);
  void solveChallenge(data, { onProgress: (share) => post({ share }) }).then((solution) => post({ solution }));
});
