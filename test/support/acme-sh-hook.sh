#!/bin/bash -e
# Called as "present NAME VALUE" or "cleanup NAME VALUE". Finds zone and values in the texts as acme.sh's dns_pdns does,
# and sends the same requests.
name="$2" value="$3" zones=$PDNS_Url/api/v1/servers/localhost/zones
rest() { curl -sS -H "X-API-Key: $PDNS_Token" "$@"; }
list=$(rest "$zones")
zone="$name"
until grep -q "\"name\":\"$zone\"" <<<"$list"; do
  zone="${zone#*.}"
  [ -n "$zone" ]
done
existing=$(rest "$zones/$zone" | grep -Eo "\"name\":\"$name[^]]*}" | grep -Eo 'content":"\\"[^\\]*' | sed 's/^content":"\\"//' || true)
patch() { rest -X PATCH --data "{\"rrsets\": [{\"name\": \"$name\", \"type\": \"TXT\", \"ttl\": 60, $1}]}" "$zones/$zone"; }
records() { sed -E 's/.*/{"content": "\\"&\\"", "disabled": false}/' | paste -sd,; }
if [ "$1" = present ]; then
  patch "\"changetype\": \"REPLACE\", \"records\": [$({ echo "$value"; grep . <<<"$existing" || true; } | records)]"
elif [ "$existing" = "$value" ]; then
  patch '"changetype": "DELETE"'
else
  patch "\"changetype\": \"REPLACE\", \"records\": [$(grep -vxF -- "$value" <<<"$existing" | records)]"
fi
rest -X PUT "$zones/$zone/notify"
