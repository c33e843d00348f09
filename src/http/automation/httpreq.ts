// lego's httpreq.
import type { httpreqAutomation } from '#contract/automation/httpreq.ts';
import { cleanUpChallenge, presentChallenge } from '#app/dns/challenges.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

export const httpreqHandlers: HandlersOf<typeof httpreqAutomation> = {
  acmePresent: respondWith(null, presentChallenge),
  acmeCleanup: respondWith(null, cleanUpChallenge),
};
