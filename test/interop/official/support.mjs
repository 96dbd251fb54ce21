// Functions of the tests with official programs: packages, expectations, a time limit, and the server under test.

import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { inspect, isDeepStrictEqual } from 'node:util';

// Exits with the status of a skipped test if a package is not installed in the folder NPM.
export function requirePackages(npm, names) {
    for (const name of names) {
        if (existsSync(join(npm, 'node_modules', name))) continue;
        console.log(`skipped: no ${name} in ${npm}: run test/interop/npm/install.sh`);
        process.exit(process.env.LINKSPAN_SKIP_NOTHING ? 1 : 77);
    }
    return createRequire(join(npm, 'package.json'));
}

export function versionOf(npm, name) {
    return JSON.parse(readFileSync(join(npm, 'node_modules', name, 'package.json'), 'utf8')).version;
}

// Processes that this process has started, which must not outlive it.
const children = new Set();
process.on('exit', () => children.forEach((child) => child.kill('SIGKILL')));

export function keep(child) {
    children.add(child);
    child.on('exit', () => children.delete(child));
    return child;
}

// Collects the expectations that are not met. The failure of a step does not prevent the other steps.
export class Checks {
    constructor(seconds) {
        this.count = 0;
        this.failures = 0;
        this.place = 'start';
        this.limit = setTimeout(() => {
            console.error(`time limit of ${seconds} s at ${this.place}`);
            process.exit(1);
        }, seconds * 1000);
    }

    async step(place, run) {
        this.place = place;
        try {
            await run();
        } catch (error) {
            this.fail('no exception', error);
        }
    }

    fail(expected, received) {
        this.failures += 1;
        const show = (value) => inspect(value, { depth: 8, breakLength: 110 });
        console.error(`${this.place}\n  expected: ${show(expected)}\n  received: ${show(received)}`);
    }

    equal(received, expected) {
        this.count += 1;
        if (!isDeepStrictEqual(received, expected)) this.fail(expected, received);
    }

    // The received object has the expected members, and may have others.
    members(received, expected) {
        const part = Object.fromEntries(Object.keys(expected).map((key) => [key, received?.[key]]));
        this.equal(part, expected);
    }

    includes(received, expected) {
        this.count += 1;
        if (!received?.includes?.(expected)) this.fail(`a value that includes ${inspect(expected)}`, received);
    }

    // The operation fails with this error code.
    async fails(operation, code) {
        this.count += 1;
        try {
            this.fail(`an error with the code ${code}`, await operation);
        } catch (error) {
            if (error.code !== code) this.fail(`an error with the code ${code}`, error);
        }
    }

    // Ends the process. Fewer checks than expected are a failure, so that a test that runs nothing does not pass.
    exit(minimum) {
        clearTimeout(this.limit);
        if (this.count < minimum) {
            this.place = 'end';
            this.fail(`at least ${minimum} checks`, this.count);
        }
        console.log(`${this.count} checks, ${this.failures} failures`);
        process.exit(this.failures ? 1 : 0);
    }
}

// The server under test over HTTP, on a free port. Its first line is its URL.
export class HttpServer {
    static async start(program, args) {
        const server = new HttpServer();
        server.child = keep(spawn(program, ['--http', '0', ...args], { stdio: ['pipe', 'pipe', 'inherit'] }));
        server.exited = new Promise((resolve) => server.child.on('exit', (code, signal) => resolve(signal ?? code)));
        server.url = await new Promise((resolve, reject) => {
            createInterface({ input: server.child.stdout }).once('line', resolve);
            server.child.on('error', reject);
            server.child.on('exit', (code) => reject(new Error(`the server exited with ${code}`)));
        });
        return server;
    }

    // Returns the status of the server, which ends when its input is closed.
    end() {
        this.child.stdin.end();
        return this.exited;
    }
}
