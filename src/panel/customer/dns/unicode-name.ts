// Names of zones for people: internationalized labels in their script. The API has the ASCII form only.
// Browsers convert to ASCII, but not back.

/** Returns the name with its `xn--` labels decoded (RFC 3492), or unchanged if a label is not valid. */
export function unicodeName(name: string): string {
  const labels = name.split('.').map((label) => (label.startsWith('xn--') ? decodeLabel(label.slice(4)) : label));
  const decoded = labels.join('.');
  // Only what reads back as the same name: anything else could pass for another one.
  return asciiName(decoded) === name ? decoded : name;
}

/** Returns the ASCII form of a name as a person typed it. */
export function asciiName(typed: string): string {
  const name = typed.trim().toLowerCase();
  if (!/[^ -~]/.test(name)) return name;
  return URL.parse(`http://${name}`)?.hostname ?? name;
}

const base = 36;
const [minThreshold, maxThreshold, skew, damp, initialBias, initialCode] = [1, 26, 38, 700, 72, 128];

function decodeLabel(text: string): string {
  const delimiter = text.lastIndexOf('-');
  const codes = delimiter < 0 ? [] : Array.from(text.slice(0, delimiter), (character) => character.codePointAt(0)!);
  const digits = text.slice(delimiter + 1);
  let [code, bias, index] = [initialCode, initialBias, 0];
  for (let at = 0; at < digits.length;) {
    const start = index;
    for (let weight = 1, k = base; ; k += base) {
      const digit = Number.parseInt(digits[at++] ?? '', base);
      // Digits are a–z for 0–25 and 0–9 for 26–35, the other way round than in JavaScript.
      const value = digit >= 10 ? digit - 10 : digit + 26;
      if (Number.isNaN(value)) return `xn--${text}`;
      index += value * weight;
      const threshold = Math.min(Math.max(k - bias, minThreshold), maxThreshold);
      if (value < threshold) break;
      weight *= base - threshold;
    }
    const length = codes.length + 1;
    bias = adapt(index - start, length, start === 0);
    code += Math.floor(index / length);
    index %= length;
    if (code > 0x10_ffff) return `xn--${text}`;
    codes.splice(index++, 0, code);
  }
  return String.fromCodePoint(...codes);
}

function adapt(difference: number, length: number, isFirst: boolean): number {
  let delta = isFirst ? Math.floor(difference / damp) : difference >> 1;
  delta += Math.floor(delta / length);
  let k = 0;
  for (; delta > ((base - minThreshold) * maxThreshold) >> 1; k += base)
    delta = Math.floor(delta / (base - minThreshold));
  return k + Math.floor((base * delta) / (delta + skew));
}
