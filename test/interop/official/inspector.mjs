// node inspector.mjs NPM SERVER: runs the command line client of the MCP Inspector in NPM against the program SERVER
// (conformance-server), over stdio, Streamable HTTP and HTTP+SSE, in each of its eras: `legacy` is the handshake,
// `modern` the stateless era, and `auto` detects the era. All outputs must be equal, except for the members that only
// one era has.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Checks, HttpServer, keep, requirePackages, versionOf } from './support.mjs';

const [npm, program] = process.argv.slice(2);
const inspector = '@modelcontextprotocol/inspector';
requirePackages(npm, [inspector]);
console.log(`${inspector} ${versionOf(npm, inspector)}`);
const command = join(npm, 'node_modules', inspector, 'clients/cli/build/index.js');
const check = new Checks(140);
const home = mkdtempSync(join(tmpdir(), 'inspector-')); // the program writes to the home directory
process.on('exit', () => rmSync(home, { recursive: true, force: true, maxRetries: 3 }));

// Runs the program. Returns its status, and its output as JSON.
function run(args) {
    return new Promise((resolve, reject) => {
        const child = keep(spawn(process.execPath, [command, '--format', 'json', '-q', ...args],
                                 { env: { ...process.env, HOME: home }, stdio: ['ignore', 'pipe', 'pipe'] }));
        const out = { stdout: '', stderr: '' };
        for (const name of ['stdout', 'stderr'])
            child[name].setEncoding('utf8').on('data', (text) => (out[name] += text));
        child.on('error', reject);
        child.on('close', (status) => resolve({ status, ...out }));
    });
}

// Requests, and functions that check their results.
const requests = {
    'initialize': { // prints the negotiated protocol version in both eras
        args: ['initialize'],
        check: ({ serverInfo, capabilities }) => serverInfo.name === 'conformance-server' &&
            ['tools', 'resources', 'prompts', 'logging', 'completions'].every((name) => name in capabilities),
    },
    'list of tools': {
        args: ['tools/list'],
        check: ({ tools }) => ['test_simple_text', 'test_structured_content', 'slow_compute'].every((name) =>
            tools.some((tool) => tool.name === name)),
    },
    'call': {
        args: ['tools/call', '--tool-name', 'test_structured_content', '--tool-args-json', '{"name":"Bern"}'],
        check: ({ structuredContent: { station, celsius } }) => station === 'Bern' && celsius === 21.5,
    },
    'call that continues as a task': {
        args: ['tools/call', '--tool-name', 'slow_compute', '--tool-args-json', '{"seconds":0,"label":"x"}'],
        check: ({ content }) => content[0].text === 'computed x',
    },
    'list of resources': { args: ['resources/list'], check: ({ resources }) => resources.length === 3 },
    'read': {
        args: ['resources/read', '--uri', 'test://static-binary'],
        check: ({ contents }) => contents[0].blob.startsWith('iVBORw0KGgo'),
    },
    'list of prompts': { args: ['prompts/list'], check: ({ prompts }) => prompts.length === 5 },
    'prompt': {
        args: ['prompts/get', '--prompt-name', 'test_prompt_with_arguments', '--prompt-args', 'arg1=one', 'arg2=two'],
        check: ({ messages }) => messages[0].content.text === "Prompt with arguments: arg1='one', arg2='two'",
    },
};

// Removes the members that only one era has.
function common({ _meta, resultType, ttlMs, cacheScope, protocolVersion, capabilities, ...rest }) {
    for (const tool of rest.tools ?? []) delete tool.execution;
    return rest;
}

const results = {}; // the first one of each request

async function runs(label, target, era, name, version) {
    const { args, check: is_expected } = requests[name];
    const { status, stdout, stderr } = await run([...target, '--protocol-era', era, '--method', ...args]);
    check.place = `${label}, ${era}: ${name}`;
    if (status !== 0) return check.fail('status 0', { status, stderr });
    const { result } = JSON.parse(stdout);
    if (name === 'initialize') check.equal(result.protocolVersion, version);
    check.equal(is_expected(result), true);
    results[name] ??= common(result);
    check.equal(common(result), results[name]);
}

async function fails(label, target, era, args, expectedStatus, part) {
    const { status, stdout, stderr } = await run([...target, '--protocol-era', era, '--method', ...args]);
    check.place = `${label}, ${era}: ${args.join(' ')}`;
    check.equal(status, expectedStatus);
    check.includes(stdout + stderr, part);
}

const paged = ['--page-size', '7'];
const handshakeOnly = [...paged, '--newest', '2025-11-25'];
const server = await HttpServer.start(program, paged);
const older = await HttpServer.start(program, handshakeOnly);
const newest = { legacy: '2025-11-25', modern: '2026-07-28', auto: '2026-07-28' };
const targets = { stdio: [program, ...paged], http: [server.url, '--transport', 'http'] };
const olderTargets = { stdio: [program, ...handshakeOnly], http: [older.url, '--transport', 'http'] };

// This tool requires a task. The program reports a failed task of 2025-11-25 without the result of the tool.
const failingTask = ['tools/call', '--tool-name', 'failing_job'];
const work = [];
for (const [carrier, target] of Object.entries(targets)) {
    for (const era of ['legacy', 'modern', 'auto'])
        for (const name of era === 'auto' ? ['initialize', 'call'] : Object.keys(requests))
            work.push(() => runs(carrier, target, era, name, newest[era]));
    work.push(() => fails(carrier, target, 'legacy', failingTask, 1, 'Task failed'));
    work.push(() => fails(carrier, target, 'modern', failingTask, 5, 'The job failed'));
}
for (const [carrier, target] of Object.entries(olderTargets)) {
    const label = `${carrier}, server without the stateless era`;
    for (const name of ['initialize', 'list of tools'])
        work.push(() => runs(label, target, 'auto', name, newest.legacy));
    work.push(() => fails(label, target, 'modern', ['tools/list'], 1,
                          'the server did not offer pinned protocol version 2026-07-28'));
}
const sse = [server.url.replace(/\/mcp$/, '/sse'), '--transport', 'sse'];
for (const name of ['initialize', 'call']) work.push(() => runs('sse', sse, 'legacy', name, newest.legacy));

// Two at once, because most of the time is spent in the start of the program.
async function worker() {
    for (let next = work.shift(); next; next = work.shift()) await check.step('inspector', next);
}
await Promise.all([worker(), worker()]);
check.equal([await server.end(), await older.end()], [0, 0]);
check.exit(90);
