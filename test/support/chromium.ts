// A headless Chromium. It may take long to start where everything runs at once. What it fetches it gives up whenever the
// host's addresses change (net::ERR_NETWORK_CHANGED), as tests with networks of their own change them: hand pages over by
// `page.route`, and let what is fetched be tried again.
import { chromium, type Browser } from 'playwright-core';
import { findBinary } from './needs.ts';

const launchMs = 90_000;
const settings = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-extensions'];

export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: findBinary('chromium')!, args: settings, timeout: launchMs });
}
