// Test: icons and tray pictures match the vector files that they are rendered from.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ASSETS, digests, vectorFiles } from '../harness/render-assets.ts';

test('the rendered pictures match the vector files (else: node test/harness/render-assets.ts)', () => {
  const rendered = JSON.parse(readFileSync(join(ASSETS, 'rendered.json'), 'utf8'));
  expect(rendered.from).toEqual(vectorFiles());
  expect(Object.keys(rendered.made)).toContain('tray/16.png');
  expect(rendered.made).toEqual(digests(Object.keys(rendered.made)));
});
