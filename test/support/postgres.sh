#!/usr/bin/env bash
# postgres.sh FOLDER: runs a PostgreSQL server with its data and its socket in FOLDER, and prints the URL of its
# database. The server ends when stdin is closed. It refuses to run as root.
set -euo pipefail
folder=$1
programs=$(ls -d /usr/lib/postgresql/*/bin | tail -1)
as=()
if ((EUID == 0)); then
    chown postgres "$folder"
    as=(setpriv --reuid=postgres --regid=postgres --clear-groups)
fi
cd "$folder"
"${as[@]}" "$programs/initdb" --no-sync --auth=trust --username=postgres --pgdata="$folder/data" >&2
stop() { "${as[@]}" "$programs/pg_ctl" --pgdata="$folder/data" --mode=immediate --silent stop >&2; }
trap stop EXIT
"${as[@]}" "$programs/pg_ctl" --pgdata="$folder/data" --log="$folder/log" --wait --silent \
    --options="-F -k '$folder' -c listen_addresses=''" start >&2 || { cat "$folder/log" >&2; exit 1; }
echo "postgresql:///postgres?host=$folder&user=postgres"
cat >/dev/null
