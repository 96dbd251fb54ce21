// node verdicts.mjs DIRECTORY EXCLUDED: prints a line per scenario whose results the conformance suite has saved in
// DIRECTORY, except for the scenario EXCLUDED: its name, PASS, FAIL or NONE (no check of its own succeeded), and the
// numbers of its successful checks, failures and warnings, separated by tabs.

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const [directory, excluded] = process.argv.slice(2);
for (const entry of readdirSync(directory)) {
    const [, scenario] = entry.match(/^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/);
    if (scenario === excluded) continue;
    const checks = JSON.parse(readFileSync(join(directory, entry, 'checks.json'), 'utf8'));
    const of = (status) => checks.filter((check) => check.status === status);
    // The suite's own messages suffice for this check.
    const own = of('SUCCESS').filter((check) => check.id !== 'wire-schema-valid');
    const verdict = of('FAILURE').length > 0 ? 'FAIL' : own.length === 0 ? 'NONE' : 'PASS';
    console.log([scenario, verdict, ...['SUCCESS', 'FAILURE', 'WARNING'].map((each) => of(each).length)].join('\t'));
}
