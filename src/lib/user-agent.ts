// Names the browser and operating system, or the program, behind a User-Agent header, for people who look for a session
// that is not theirs. It leaves out everything that it does not know.
const browsers: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdg(?:e|A|iOS)?\/(\d+)/, 'Edge'],
  [/\bOPR\/(\d+)/, 'Opera'],
  [/\bSamsungBrowser\/(\d+)/, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\/(\d+)/, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\/(\d+)/, 'Chrome'],
  [/\bVersion\/(\d{1,6})[^(]{0,100}Safari\//, 'Safari'],
];
const systems: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];
const maxLength = 64;

/** Returns for example `Firefox 145 on Windows`, or `hostyard/1.0`; an empty text if there is no header. */
export function deviceText(userAgent: string): string {
  const browser = browsers.map(([pattern, name]) => ({ name, version: pattern.exec(userAgent)?.[1] }));
  const found = browser.find(({ version }) => version !== undefined);
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1];
  if (found === undefined) return (system ?? userAgent.split(' ', 1)[0]!).slice(0, maxLength);
  const name = `${found.name} ${found.version}`;
  return system === undefined ? name : `${name} on ${system}`;
}
